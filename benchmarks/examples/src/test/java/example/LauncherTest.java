package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class LauncherTest {

    private static final int DEFAULT_SECONDS = 4;

    private final List<String> played = new ArrayList<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @Test
    void shouldPlayWithoutAWindowUnlessOneIsWanted() throws Exception {
        assertThat(launch("", LauncherTest::neverAsked)).isZero();
        assertThat(launch("7", LauncherTest::neverAsked)).isZero();
        assertThat(launch("--window 20", Optional::empty)).isZero();
        assertThat(played).containsExactly("4 s", "7 s", "20 s in a window");
    }

    @Test
    void shouldSayInOneLineThatThereIsNoDisplayAndWhatToDo() throws Exception {
        assertThat(launch("--window 20", () -> Optional.of("no X server"))).isEqualTo(Launcher.CANNOT_START);
        assertThat(played).isEmpty();
        assertThat(errors.toString().lines())
                .singleElement()
                .asString()
                .contains("no X server", "leave out --window", "DISPLAY", "Xvfb");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0", "-3", "86401", "99999999999", "--windows", "--window 0", "--window 4 5"})
    void shouldSayInOneLineWhichArgumentIsWrong(String line) throws Exception {
        assertThat(launch(line, LauncherTest::neverAsked)).isEqualTo(Launcher.CANNOT_START);
        assertThat(played).isEmpty();
        String wrong = line.replaceAll("^--window (4 )?", "");
        assertThat(errors.toString().lines()).singleElement().asString().contains("'" + wrong + "'", "see --help");
    }

    @Test
    void shouldKnowNoWindowWhereThereIsNoPicture() throws Exception {
        PlayArguments arguments = new PlayArguments(DEFAULT_SECONDS);
        assertThat(launch(arguments, "--window")).isEqualTo(Launcher.CANNOT_START);
        assertThat(errors.toString().lines()).singleElement().asString().contains("'--window'");
        assertThat(launch(arguments, "9")).isZero();
        assertThat(played).containsExactly("9 s");
    }

    @Test
    void shouldSayHowToStartItAndNotStartIt() throws Exception {
        assertThat(launch("--help", LauncherTest::neverAsked)).isZero();
        assertThat(played).isEmpty();
        assertThat(out.toString()).contains("[--window] [seconds]", "1 to 86400; 4 where nothing is said");
    }

    private int launch(String line, Supplier<Optional<String>> missingDisplay) throws Exception {
        return launch(new WindowArguments(DEFAULT_SECONDS, missingDisplay), line);
    }

    private int launch(PlayArguments arguments, String line) throws Exception {
        CommandLine commandLine =
                new CommandLine(arguments).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(errors, true));
        String[] args = line.isEmpty() ? new String[0] : line.split(" ", -1);
        return Launcher.launch(commandLine, arguments, args, started -> played.add(told(started)));
    }

    private static String told(PlayArguments arguments) {
        boolean window = arguments instanceof WindowArguments pictured && pictured.window();
        return arguments.seconds() + " s" + (window ? " in a window" : "");
    }

    private static Optional<String> neverAsked() {
        return fail("asked for a display, though no window was wanted");
    }
}
