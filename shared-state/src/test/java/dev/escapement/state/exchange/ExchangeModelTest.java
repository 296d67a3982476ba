package dev.escapement.state.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.escapement.state.Slice;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Member;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Checks the Promela model of the exchange if Spin is installed, and always that the model has the names and orders of the code. */
class ExchangeModelTest {

    private static final Path MODEL = Path.of("src", "model");
    private static final int TOOLS_MISSING = 3;

    /** A comment of the model that names a step: {@code SnapshotWriter.nextSnapshot}, or {@code X.X} for a constructor. */
    private static final Pattern STEP = Pattern.compile("/\\* (\\w+)\\.(\\w+) \\*/");

    /** An order that a step of the model has: {@code ORDER(PUT_RELEASES)}. */
    private static final Pattern ORDER = Pattern.compile("ORDER\\(\\w+_(ACQUIRES|RELEASES)\\)");

    private static final Pattern ACCESS = Pattern.compile("(VarHandle|AtomicReference)\\.\\w+(?=:)");
    private static final Set<String> ACQUIRING =
            Set.of("VarHandle.getAndSet", "AtomicReference.compareAndSet", "AtomicReference.get");
    private static final Set<String> RELEASING =
            Set.of("VarHandle.getAndSet", "AtomicReference.compareAndSet", "AtomicReference.set");

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

    /** Spin refutes the model without any of its orders, so each must be in the code. On x86, no other test finds that one is missing. */
    @Test
    void shouldHaveNoOrderThatTheCodeLacks() throws Exception {
        Set<String> compared = new TreeSet<>();
        for (String file : List.of("writer.pml", "reader.pml")) {
            String model = Files.readString(MODEL.resolve(file));
            Matcher step = STEP.matcher(model);
            while (step.find()) {
                String text = model.substring(step.end()).split(STEP.pattern(), 2)[0];
                for (MatchResult order : ORDER.matcher(text).results().toList()) {
                    assertThat(accesses(step.group(1), step.group(2)))
                            .as("%s.%s, which is %s in the model", step.group(1), step.group(2), order.group())
                            .isNotEmpty()
                            .isSubsetOf(order.group(1).equals("ACQUIRES") ? ACQUIRING : RELEASING);
                    compared.add(order.group());
                }
            }
        }
        assertThat(compared).hasSize(6);
    }

    /** Returns the accesses to shared memory of a method in the class file. */
    private static Set<String> accesses(String type, String method) {
        StringWriter code = new StringWriter();
        PrintWriter output = new PrintWriter(code);
        URL file = Objects.requireNonNull(SnapshotExchange.class.getResource(type + ".class"));
        ToolProvider.findFirst("javap").orElseThrow().run(output, output, "-c", "-p", file.toString());
        String body = code.toString().split(" " + method + "\\(", 2)[1].split("\\R\\R", 2)[0];
        return ACCESS.matcher(body).results().map(MatchResult::group).collect(Collectors.toSet());
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
