package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.bench.report.LiveOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code --live [PORT]}. */
class LiveCommandTest {

    @TempDir
    Path folder;

    /** Takes a file as well, as {@code replay} does. */
    @Command
    @SuppressWarnings("NullAway.Init") // picocli sets them
    private static final class OfAFile {

        @Mixin
        private LiveOption live;

        @Parameters(arity = "0..1", defaultValue = "")
        private String file;
    }

    @Test
    void shouldTakeAPortAndLeaveAFileAlone() {
        assertThat(parsed("a.log").live.isGiven()).isFalse();
        for (String[] args : new String[][] {{"--live", "a.log"}, {"a.log", "--live"}, {"--live", "0", "a.log"}}) {
            assertThat(parsed(args).live.isGiven()).isTrue();
            assertThat(parsed(args).live.port()).isZero();
            assertThat(parsed(args).file).isEqualTo("a.log");
        }
        for (String[] args : new String[][] {{"--live", "8080", "a.log"}, {"--live=8080", "a.log"}}) {
            assertThat(parsed(args).live.port()).isEqualTo(8080);
            assertThat(parsed(args).file).isEqualTo("a.log");
        }
    }

    @Test
    void shouldRefuseOtherPortsAndAWindowAsWell() {
        for (String port : new String[] {"65536", "-1"}) {
            LiveOption live = parsed("--live", port).live;
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> live.check(false))
                    .withMessage("--live must be between 0 and 65535, but is " + port);
        }
        LiveOption live = parsed("--live").live;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> live.check(true))
                .withMessage("--live and --window exclude each other; leave one out");
    }

    /** A world without bodies is shown as well as any. */
    @Test
    void shouldPrintTheAddressAloneOnALineAndEndAfterItsSeconds() {
        StringWriter out = new StringWriter();
        int exitCode = Escapement.commandLine()
                .setOut(new PrintWriter(out))
                .execute(
                        "run", "--engine", "spring", "--bodies", "0", "--seconds", "1", "--live", "--out", "" + folder);
        assertThat(exitCode).isZero();
        assertThat(out.toString().lines())
                .filteredOn(line -> line.matches("http://127\\.0\\.0\\.1:\\d+/[0-9a-f]{32}/"))
                .hasSize(1);
    }

    /** Before the world is built: this simulation cannot be. */
    @ParameterizedTest
    @ValueSource(strings = {"--live", "--serve"})
    void shouldSayAtOnceThatAPortIsTaken(String option) throws IOException {
        try (ServerSocket page = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DatagramSocket stream = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            int port = option.equals("--live") ? page.getLocalPort() : stream.getLocalPort();
            String value = option.equals("--live") ? "" + port : "udp:127.0.0.1:" + port;
            Executed run = Executed.of("run", "--simulation", "no.such.World", "--out", folder, option, value);
            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err().lines())
                    .first()
                    .asString()
                    .contains(option + " " + value + ": ", "; choose another port");
            assertThat(run.err()).doesNotContain("no.such.World");
        }
    }

    private static OfAFile parsed(String... args) {
        return CommandLine.populateCommand(new OfAFile(), args);
    }
}
