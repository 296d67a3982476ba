package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class LauncherTest {

    private static final int DEFAULT_SECONDS = 4;

    private final List<String> played = new ArrayList<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();

    /** Empty is no argument; "never asked": a display is checked only if a window is wanted. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''            | never asked | 4 s
            7             | never asked | 7 s
            --window 20   | there is    | 20 s in a window
            """)
    void shouldPlayWithoutAWindowUnlessOneIsWanted(String line, String display, String plays) throws Exception {
        assertThat(launch(windowed(display), line)).isZero();
        assertThat(played).containsExactly(plays);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --window 20   | no X server | no X server, leave out --window, DISPLAY, Xvfb
            x             | never asked | 'x', see --help
            0             | never asked | '0', see --help
            86401         | never asked | '86401', see --help
            --windows     | never asked | '--windows', see --help
            --window 4 5  | never asked | '5', see --help
            """, quoteCharacter = '"')
    void shouldSayInOneLineWhatIsWrong(String line, String display, String says) throws Exception {
        assertThat(launch(windowed(display), line)).isEqualTo(Launcher.CANNOT_START);
        assertThat(played).isEmpty();
        assertThat(errors.toString().lines()).singleElement().asString().contains(says.split(", "));
    }

    @Test
    void shouldSayHowToStartItAndNotStartIt() throws Exception {
        assertThat(launch(windowed("never asked"), "--help")).isZero();
        assertThat(played).isEmpty();
        assertThat(out.toString()).contains("[--window] [seconds]", "1 to 86400; 4 where nothing is said");
    }

    private static WindowArguments windowed(String display) {
        return new WindowArguments(DEFAULT_SECONDS, () -> switch (display) {
            case "never asked" -> fail("asked for a display, though no window was wanted");
            case "there is" -> Optional.empty();
            default -> Optional.of(display);
        });
    }

    private int launch(PlayArguments arguments, String line) throws Exception {
        CommandLine commandLine =
                new CommandLine(arguments).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(errors, true));
        String[] args = line.isEmpty() ? new String[0] : line.split(" ", -1);
        return Launcher.launch(commandLine, arguments, args, started -> played.add(reported(started)));
    }

    private static String reported(PlayArguments arguments) {
        boolean window = arguments instanceof WindowArguments pictured && pictured.window();
        return arguments.seconds() + " s" + (window ? " in a window" : "");
    }
}
