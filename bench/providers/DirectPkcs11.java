import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/// The floor: AES-GCM calls of a PKCS#11 module on one thread, by the JDK's provider. Run as
/// `java DirectPkcs11.java MODULE KEY-LABEL PIN-FILE SECONDS`; prints `encrypt-p50-us decrypt-p50-us`.
/// Takes the first token.
final class DirectPkcs11 {
  public static void main(String[] args) throws Throwable {
    String config = "--name = bench\nlibrary = " + args[0] + "\nslotListIndex = 0\n";
    Provider provider = Security.getProvider("SunPKCS11").configure(config);
    KeyStore store = KeyStore.getInstance("PKCS11", provider);
    store.load(null, Files.readString(Path.of(args[2])).strip().toCharArray());
    Key key = store.getKey(args[1], null);
    long nanos = Long.parseLong(args[3]) * 1_000_000_000L;
    var random = new SecureRandom();
    var nonce = new byte[12];
    random.nextBytes(nonce);
    byte[] sealed = run(provider, Cipher.ENCRYPT_MODE, key, nonce, new byte[32]);
    long encrypt = 0;
    long decrypt = 0;
    for (int round = 0; round < 2; round++) { // the first one warms up
      encrypt = Median.micros(nanos, () -> {
        random.nextBytes(nonce);
        run(provider, Cipher.ENCRYPT_MODE, key, nonce, new byte[32]);
      });
      random.nextBytes(nonce);
      byte[] again = run(provider, Cipher.ENCRYPT_MODE, key, nonce, new byte[32]);
      decrypt = Median.micros(nanos, () -> run(provider, Cipher.DECRYPT_MODE, key, nonce, again));
    }
    System.out.println(encrypt + " " + decrypt);
  }

  private static byte[] run(Provider provider, int mode, Key key, byte[] nonce, byte[] data)
      throws Exception {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", provider);
    cipher.init(mode, key, new GCMParameterSpec(128, nonce));
    cipher.updateAAD(new byte[47]);
    return cipher.doFinal(data);
  }
}
