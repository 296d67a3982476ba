package dev.escapement.bench;

import static dev.escapement.bench.Executed.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

class CommandLineTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"100, 100, 1", "59.94, 2997, 50", "60000/1001, 60000, 1001", "1e2, 100, 1", "0.5, 1, 2", "200/2, 100, 1"
    })
    void shouldReadRatesAsPeopleWriteThem(String text, long numerator, long denominator) {
        assertThat(Escapement.rate(text)).isEqualTo(new TickRate(numerator, denominator));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | a rate must be positive, but is 0",
                "1/0 | a rate must be positive, but is 1/0",
                "NaN | 'NaN' is not a rate in hertz; write 100, 59.94 or 60000/1001",
                "'' | '' is not a rate in hertz",
                "3/2/1 | '3/2/1' is not a rate in hertz",
                "1e-400 | '1e-400' has more digits",
                "-9223372036854775808 | '-9223372036854775808' has more digits",
            })
    void shouldSayWhatIsWrongWithARate(String text, String message) {
        assertThatExceptionOfType(CommandLine.TypeConversionException.class)
                .isThrownBy(() -> Escapement.rate(text))
                .withMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            runs                   | there is no command 'runs'; did you mean 'run'?
            RUN --egnine jolt      | there is no option '--egnine'; did you mean '--engine'?
            RUN live               | there is no argument 'live'; did you mean '--live'?
            --json                 | there is no option '--json'; the commands are run,
            RUN --engine havok     | expected one of [jolt, bullet, ode4j, dyn4j, box2d, physx, spring] but was 'havok'
            stress --plant=x       | expected one of [whole, consecutive, forwards, fresh, input-once, input-order,
            RUN --tick-hz 0.001    | --tick-hz 1/1000 Hz gives 0 ticks in --seconds 10, but a picture needs 3
            RUN --serve udp:127.0.0.1:0 --key-file no.key | --key-file no.key cannot be read: there is no such file
            RUN --serve udp:127.0.0.1:0 --key-file KEY    | must have at least 16 bytes, but has 5
            RUN --serve udp:0.0.0.0:20121          | is not on this machine; without a key take 127.0.0.1
            RUN --serve aeron:ipc --key-file KEY   | aeron:ipc is not encrypted with a key; take udp:host:port, or no --key-file
            watch aeron:ipc                        | does not leave its process; take aeron:udp?control=localhost:20121 on both sides
            watch --live nonsense      | udp:[::1]:20121, but not 'nonsense'
            RUN --live 8080 --window   | --live and --window exclude each other; leave one out
            machine --seconds 0    | --seconds must be between 1 and 3600, but is 0
            wire --help            | wire: gone in 0.4; use 'bench Codec'
            replay                 | FILE
            RUN --simulation SIM                           | exclude each other
            run --simulation SIM --classpath none.jar      | no jar or folder 'none.jar'
            run --simulation SIM --record no.esclog        | --record writes a log for 'replay'
            run --classpath /      | needs --simulation CLASS
            cluster --nodes 2      | 1, 3 or 5 nodes, but these are 2
            cluster --kill-leader-every soon | a number of seconds such as 10s, but is 'soon'
            cluster --hosts a,b,c  | --hosts needs --node, which of [a, b, c] this machine is, from 0 on
            """)
    void shouldRefuseBadInputInOneLineAndWriteNothing(String arguments, String says) throws Exception {
        Path key = Files.writeString(folder.resolve("short.key"), "short");
        assertRefused(says, words(arguments.replace("KEY", key.toString())));
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)).containsExactly(key);
        }
    }

    /** Passes each option that takes a path an impossible one: in a folder that cannot be created, below a file, or missing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "run --engine spring --out %s",
                "RUN --record %s/x",
                "watch udp:127.0.0.1:9 --out %s",
                "compare --out %s",
                "stress soak --out %s",
                "bench ratios %s",
                "replay %s",
                "cluster --folder %s",
            })
    void shouldReportABadPathInOneLine(String arguments) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "kept");
        for (String parent : List.of("/proc", file.toString())) {
            Executed refused = assertRefused(parent, words(arguments.formatted(parent + "/nope")));
            assertThat(refused.err()).doesNotContain("Exception");
        }
        assertThat(file).hasContent("kept");
    }

    private Object[] words(String arguments) {
        return arguments
                .replace("SIM", SpringSimulation.class.getName())
                .replace("RUN", "run --engine spring --out OUT")
                .replace("OUT", folder.resolve("out").toString())
                .split(" ");
    }

    @Test
    void shouldFormatHelpAndDescribeEachCommandInASentence() {
        for (CommandLine command : Escapement.commandLine().getSubcommands().values()) {
            CommandSpec spec = command.getCommandSpec();
            assertThat(spec.usageMessage().description()[0]).as(spec.name()).endsWith(".");
            for (ArgSpec argument : spec.args()) {
                assertThat(argument.description())
                        .as("%s of %s", argument, spec.name())
                        .isNotEmpty();
                for (String format : argument.description()) {
                    // A wrong format throws here, while picocli only warns.
                    assertThat(String.format(format)).isNotBlank();
                }
            }
            Executed help = Executed.of(spec.name(), "--help");
            assertThat(help.exitCode()).isZero();
            assertThat(help.out()).contains("Usage: escapement " + spec.name());
            assertThat(help.err()).isEmpty();
        }
        assertThat(Executed.of("run", "--help").out().lines())
                .as("fits on a screen")
                .hasSizeLessThanOrEqualTo(24);
    }

    @Test
    void shouldTakeHelpAsACommand() {
        assertThat(Executed.of("help", "run").out())
                .isEqualTo(Executed.of("run", "--help").out());
    }

    /** There is no such simulation class. The test therefore passes only if the port is checked before the world is built. */
    @Test
    void shouldSayAtOnceThatAPortIsTaken() throws IOException {
        try (ServerSocket page = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DatagramSocket stream = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            String live = "--live " + page.getLocalPort();
            String serve = "--serve udp:127.0.0.1:" + stream.getLocalPort();
            for (String option : List.of(live, serve)) {
                assertRefused(option + ": ", words("run --simulation no.such.World --out OUT " + option));
            }
        }
    }
}
