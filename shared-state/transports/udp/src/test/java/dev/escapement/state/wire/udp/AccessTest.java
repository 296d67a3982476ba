package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTest {

    @Test
    void shouldReadTheSameKeyFromFileAndEnvironment(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("world.key"), "thirty-two bytes drawn at random\r\n");
        byte[] key = "thirty-two bytes drawn at random".getBytes(StandardCharsets.US_ASCII);
        assertThat(Access.keyFile(file).key).isEqualTo(key);
        assertThat(Access.keyFile(file)).hasToString("Access[key]");
        assertThat(Access.keyOf(Map.of("KEY", "thirty-two bytes drawn at random\n"), "KEY").key)
                .isEqualTo(key);
        byte[] random = {0, -1, '\n', '\r', 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
        assertThat(Access.keyFile(Files.write(file, random)).key).isEqualTo(random);
    }

    @Test
    void shouldSayWhichKeyIsMissingOrShort(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("world.key");
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> Access.keyFile(file))
                .withMessageContaining(file + "' cannot be read");
        Files.write(file, new byte[5000]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.keyFile(file))
                .withMessageContaining("4096");
        Files.writeString(file, "fifteen bytes..\n\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.keyFile(file))
                .withMessageContaining(file + "' must have at least 16 bytes, but has 15");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.key(new byte[15]))
                .withMessageStartingWith("a key must have at least 16 bytes, but has 15");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.keyOf(Map.of(), "ESCAPEMENT_KEY"))
                .withMessage("the environment variable ESCAPEMENT_KEY is not set");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.keyOf(Map.of("ESCAPEMENT_KEY", "short"), "ESCAPEMENT_KEY"))
                .withMessageContaining("ESCAPEMENT_KEY must have at least 16 bytes, but has 5");
    }

    @Test
    void shouldNeedAKeyWhereOtherMachinesReach() {
        InetSocketAddress open = new InetSocketAddress(20121);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.thisMachine().check(open))
                .withMessageContaining(open.getAddress().getHostAddress())
                .withMessageContaining("Access.key(...)")
                .withMessageContaining("Access.unauthenticated()");
        assertThatCode(() -> Access.unauthenticated().check(open)).doesNotThrowAnyException();
        assertThatCode(() -> Access.key(new byte[16]).check(open)).doesNotThrowAnyException();
        assertThatCode(() -> Access.thisMachine().check(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldSayThatAHostIsNotKnown() {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> Access.thisMachine().check(InetSocketAddress.createUnresolved("nowhere", 1)))
                .withMessageContaining("'nowhere' is not known");
    }
}
