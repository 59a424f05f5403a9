package io.postbox.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.testkit.disk.Folders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Keys of localhost with certificates of their own, made for a test. */
record TestKeys(Path keys) {
  static final String PASSWORD = "only-for-this-test";

  /** Empties the folder. */
  static TestKeys in(Path folder) throws IOException {
    Folders.deleteAll(folder);
    return new TestKeys(Files.createDirectories(folder));
  }

  /** For a server of liberty-config, under the names that its secure variant expects. */
  void give(String name, Path home) throws IOException {
    Path security = Files.createDirectories(home.resolve("security"));
    Files.copy(keys.resolve(name + ".p12"), security.resolve("keys.p12"));
    Files.copy(keys.resolve(name + "-trust.p12"), security.resolve("trust.p12"));
    Files.copy(keys.resolve(name + ".pem"), security.resolve("postgresql.pem"));
  }

  /** A key and its own certificate, as key store, as trust store, and as PostgreSQL wants them. */
  void make(String name) throws IOException, GeneralSecurityException {
    Path store = keys.resolve(name + ".p12");
    keytool(
        "-genkeypair -alias server -keyalg EC -dname CN=localhost -ext"
            + " san=dns:localhost,ip:127.0.0.1 -validity 2 -storetype PKCS12 -keystore "
            + store);
    Path certificate = keys.resolve(name + ".der");
    keytool("-exportcert -alias server -keystore " + store + " -file " + certificate);
    keytool(
        "-importcert -noprompt -alias server -storetype PKCS12 -file "
            + certificate
            + " -keystore "
            + keys.resolve(name + "-trust.p12"));
    KeyStore opened = open(store);
    pem(keys.resolve(name + ".pem"), "CERTIFICATE", opened.getCertificate("server").getEncoded());
    Path key = keys.resolve(name + ".key");
    pem(key, "PRIVATE KEY", opened.getKey("server", PASSWORD.toCharArray()).getEncoded());
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
  }

  private static void pem(Path file, String kind, byte[] content) throws IOException {
    Files.writeString(
        file,
        "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
            .formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)));
  }

  private void keytool(String arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments.split(" ")));
    command.addAll(List.of("-storepass", PASSWORD));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(keys.resolve("keytool.log").toFile())
            .start();
    int exit = process.onExit().orTimeout(60, TimeUnit.SECONDS).join().exitValue();
    assertThat(exit).as(Files.readString(keys.resolve("keytool.log"))).isZero();
  }

  private static KeyStore open(Path store) throws IOException, GeneralSecurityException {
    KeyStore opened = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      opened.load(in, PASSWORD.toCharArray());
    }
    return opened;
  }

  SSLContext trusting(String name) throws IOException, GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(open(keys.resolve(name + "-trust.p12")));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
