package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LauncherTest {

    private static final int DEFAULT_SECONDS = 4;

    private final List<Arguments> played = new ArrayList<>();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @Test
    void shouldPlayWithoutAWindowUnlessOneIsWanted() throws Exception {
        assertThat(launch("", LauncherTest::neverAsked)).isZero();
        assertThat(launch("7", LauncherTest::neverAsked)).isZero();
        assertThat(played).containsExactly(new Arguments(false, DEFAULT_SECONDS), new Arguments(false, 7));
    }

    @Test
    void shouldPlayInAWindowWhereThereIsADisplay() throws Exception {
        assertThat(launch("--window", Optional::empty)).isZero();
        assertThat(launch("--window 20", Optional::empty)).isZero();
        assertThat(played).containsExactly(new Arguments(true, DEFAULT_SECONDS), new Arguments(true, 20));
    }

    @Test
    void shouldSayInOneLineThatThereIsNoDisplayAndWhatToDo() throws Exception {
        assertThat(launch("--window 20", () -> Optional.of("no X server"))).isEqualTo(Launcher.NO_DISPLAY);
        assertThat(played).isEmpty();
        assertThat(errorLines())
                .singleElement()
                .asString()
                .contains("no X server", "leave out --window", "DISPLAY", "Xvfb");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "0", "-3", "2.5", "86401", "99999999999", "--windows", "--window x", "--windw 3"})
    void shouldSayInOneLineWhichArgumentIsWrong(String line) throws Exception {
        assertThat(launch(line, LauncherTest::neverAsked)).isEqualTo(Launcher.WRONG_ARGUMENTS);
        assertThat(played).isEmpty();
        String wrong = line.replace("--window ", "").split(" ", -1)[0];
        assertThat(errorLines()).singleElement().asString().contains("'" + wrong + "'", "usage: [--window] [seconds]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"4 5", "4 --window", "--window 4 5"})
    void shouldRefuseWhatIsTooMuch(String line) throws Exception {
        assertThat(launch(line, LauncherTest::neverAsked)).isEqualTo(Launcher.WRONG_ARGUMENTS);
        assertThat(played).isEmpty();
        assertThat(errorLines()).singleElement().asString().contains("too much", "usage: [--window] [seconds]");
    }

    private int launch(String line, Supplier<Optional<String>> missingDisplay) throws Exception {
        String[] args = line.isEmpty() ? new String[0] : line.split(" ", -1);
        PrintStream stream = new PrintStream(errors, true, StandardCharsets.UTF_8);
        return Launcher.launch(args, DEFAULT_SECONDS, played::add, missingDisplay, stream);
    }

    private List<String> errorLines() {
        return errors.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static Optional<String> neverAsked() {
        return fail("asked for a display, though no window was wanted");
    }
}
