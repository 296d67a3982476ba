package dev.escapement.state.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.state.Slice;
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
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Checks the Promela model of the exchange if Spin is installed, and always that the model and the code have the same names. */
class ExchangeModelTest {

    private static final Path MODEL = Path.of("src", "model");
    private static final int TOOLS_MISSING = 3;

    /** A comment of the model that names a step: {@code SnapshotWriter.nextSnapshot}, or {@code X.X} for a constructor. */
    private static final Pattern STEP = Pattern.compile("/\\* (\\w+)\\.(\\w+) \\*/");

    @Test
    @DisabledOnOs(OS.WINDOWS)
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldHoldInEveryStateAndRefuteEveryBrokenVariant(@TempDir Path folder) throws Exception {
        Path table = folder.resolve("table");
        Slice slice = Slice.current();
        ProcessBuilder program = new ProcessBuilder(
                        "bash", MODEL.resolve("check.sh").toString())
                .redirectErrorStream(true)
                .redirectOutput(table.toFile());
        program.environment().put("SLICE", slice.number() + "/" + slice.parts());
        Process check = program.start();
        try {
            int exitCode = check.waitFor();
            String output = Files.readString(table);
            assumeTrue(exitCode != TOOLS_MISSING, output);
            assertThat(exitCode).as(output).isZero();
        } finally {
            check.destroy();
        }
    }

    @Test
    void shouldNameOnlyWhatTheCodeHas() throws Exception {
        Set<String> steps = steps();
        assertThat(steps).contains("SnapshotWriter.publish", "SnapshotReader.acquire", "SnapshotExchange.attach");
        for (String step : steps) {
            assertThat(members(step.substring(0, step.indexOf('.')))).contains(step);
        }
    }

    /**
     * WindowWord and ReaderSlot are all that threads share. A method added to them needs a step in the model, which leaves out the methods
     * that only serve messages.
     */
    @Test
    void shouldNameAllThatTouchesSharedMemory() throws Exception {
        Set<String> shared = new TreeSet<>(members("WindowWord"));
        shared.addAll(members("ReaderSlot"));
        shared.removeAll(Set.of("WindowWord.WindowWord", "ReaderSlot.ReaderSlot", "ReaderSlot.holder"));
        assertThat(shared).isNotEmpty();
        assertThat(steps()).containsAll(shared);
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
