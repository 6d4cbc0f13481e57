/// The contract between the plugin and the KMS providers.
module io.keyward.kms.spi {
  requires static transitive org.jspecify;

  exports io.keyward.kms.spi;
}
