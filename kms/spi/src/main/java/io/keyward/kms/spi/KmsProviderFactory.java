package io.keyward.kms.spi;

import java.util.List;

/// Makes providers of one kind. Found at run time by `ServiceLoader`.
public interface KmsProviderFactory {
  /// The word for it in configuration files: lower case, short, never changed.
  String name();

  /// Every setting that [#create] understands. Others are refused before it is called.
  List<Setting> settings();

  /// Does not wait for the KMS: a provider may exist before its backend is up.
  ///
  /// @throws SettingsException if what was configured cannot work, now or later
  KmsProvider create(ProviderSettings settings);
}
