package dev.escapement.state.exchange.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.state.Slice;
import dev.escapement.state.exchange.SnapshotExchange;
import java.io.IOException;
import java.lang.reflect.Member;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Promela model of the exchange: it is checked wherever Spin is installed, and cannot drift from the code by name. */
class ExchangeModelTest {

    private static final Path MODEL = Path.of("src", "model");
    private static final Path CHECK = MODEL.resolve("check.sh");
    private static final int TOOLS_MISSING = 3;

    /** A comment that is nothing but a name: {@code SnapshotWriter.nextSnapshot}, or {@code X.X} for a constructor. */
    private static final Pattern STEP = Pattern.compile("/\\* (\\w+)\\.(\\w+) \\*/");

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldHoldInEveryStateAndRefuteEveryBrokenVariant() throws Exception {
        Path table = Files.createTempFile("exchange-model", ".txt");
        try {
            int exitCode = runCheck(table);
            String output = Files.readString(table, StandardCharsets.UTF_8);
            assumeTrue(exitCode != TOOLS_MISSING, output);
            assertThat(exitCode).as(output).isZero();
        } finally {
            Files.delete(table);
        }
    }

    @Test
    void shouldNameOnlyWhatTheCodeHas() throws Exception {
        Set<String> steps = steps();
        Set<String> unknown = new TreeSet<>(steps);
        for (String step : steps) {
            if (members(step.substring(0, step.indexOf('.'))).contains(step)) {
                unknown.remove(step);
            }
        }
        assertThat(steps).contains("SnapshotWriter.publish", "SnapshotReader.acquire", "SnapshotExchange.attach");
        assertThat(unknown).as("steps of the model without a method").isEmpty();
    }

    /** Methods that only serve messages. Readers that died are for DeadReaderTest. */
    private static final String NO_STEP = "ReaderSlot.holder";

    /** This is all that threads share: a method added there is a step that the model lacks. */
    @Test
    void shouldNameAllThatTouchesSharedMemory() throws Exception {
        Set<String> missing = new TreeSet<>(members("WindowWord"));
        missing.addAll(members("ReaderSlot"));
        missing.remove("WindowWord.WindowWord");
        missing.remove("ReaderSlot.ReaderSlot");
        assertThat(missing).isNotEmpty();
        missing.removeAll(steps());
        missing.remove(NO_STEP);
        assertThat(missing).as("methods without a step of the model").isEmpty();
    }

    private static int runCheck(Path output) throws InterruptedException {
        ProcessBuilder program = new ProcessBuilder("bash", CHECK.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        Slice slice = Slice.current();
        program.environment().put("SLICE", slice.number() + "/" + slice.parts());
        Process check;
        try {
            check = program.start();
        } catch (IOException e) {
            return abort("the model of the exchange was not checked, because there is no bash: " + e.getMessage());
        }
        try {
            return check.waitFor();
        } finally {
            check.destroy();
        }
    }

    private static Set<String> steps() throws IOException {
        Set<String> steps = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(MODEL, "*.pml")) {
            for (Path file : files) {
                Matcher step = STEP.matcher(Files.readString(file, StandardCharsets.UTF_8));
                while (step.find()) {
                    steps.add(step.group(1) + "." + step.group(2));
                }
            }
        }
        return steps;
    }

    /** The declared methods and constructors, as the model writes them. */
    private static Set<String> members(String simpleName) throws ClassNotFoundException {
        Class<?> type = Class.forName(SnapshotExchange.class.getPackageName() + "." + simpleName);
        Set<String> members = new TreeSet<>();
        Stream.<Member>of(type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .forEach(method -> members.add(simpleName + "." + method.getName()));
        if (type.getDeclaredConstructors().length > 0) {
            members.add(simpleName + "." + simpleName);
        }
        return members;
    }
}
