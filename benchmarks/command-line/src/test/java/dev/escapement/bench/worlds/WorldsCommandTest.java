package dev.escapement.bench.worlds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.escapement.bench.JsonKeys;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

@Timeout(120)
class WorldsCommandTest {

    private static final int WORLDS = 3;
    private static final int DUE = 25 * WORLDS; // in a quarter of a second

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... arguments) {
        WorldsCommand worlds = new WorldsCommand();
        worlds.secondNanos = 250_000_000;
        return new CommandLine(worlds)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void shouldTickThreeWorldsInEachWayAndWriteEachRow() throws IOException {
        Path json = folder.resolve("worlds.json");
        assertThat(execute("--worlds", "" + WORLDS, "--seconds", "1", "--json", json.toString()))
                .as("exit code: %s", err)
                .isZero();
        List<String> expected = new ArrayList<>();
        for (Load load : Load.values()) {
            for (Way way : Way.values()) {
                if (way.isThere()) {
                    expected.add(load + " " + way);
                }
            }
        }
        String text = Files.readString(json);
        List<JsonObject> rows = JsonParser.parseString(text).getAsJsonObject().getAsJsonArray("rows").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .toList();
        assertThat(rows)
                .extracting(row ->
                        row.get("load").getAsString() + " " + row.get("way").getAsString())
                .containsExactlyElementsOf(expected);
        assertThat(JsonKeys.of(text)).isEqualTo(JsonKeys.listed("""
                java
                cores
                seconds
                rows
                rows[].way
                rows[].worlds
                rows[].load
                rows[].skippedTicks
                rows[].latenessMicros
                rows[].coreSecondsPerSecond
                rows[].allocatedBytesPerTick
                """));
        JsonObject whole = JsonParser.parseString(text).getAsJsonObject();
        assertThat(whole.get("seconds").getAsInt()).isEqualTo(1);
        assertThat(whole.get("cores").getAsInt()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(whole.get("java").getAsString()).endsWith(" " + Runtime.version());
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.get("worlds").getAsInt()).isEqualTo(WORLDS);
            assertThat(row.get("skippedTicks").getAsInt()).isBetween(0, DUE);
            assertThat(row.get("latenessMicros").getAsDouble()).isNotNegative();
            assertThat(row.get("coreSecondsPerSecond").getAsDouble()).isNotNegative();
        });
        for (String way : rows.stream().map(row -> row.get("way").getAsString()).toList()) {
            assertThat(rows)
                    .filteredOn(row -> row.get("way").getAsString().equals(way))
                    .as("rows of %s with ticks that ran", way)
                    .anyMatch(row -> row.get("skippedTicks").getAsInt() < DUE
                            && row.get("latenessMicros").getAsDouble() > 0);
        }
        assertThat(rows)
                .filteredOn(row -> row.get("load").getAsString().equals("rogue")
                        && row.get("way").getAsString().equals("loop"))
                .allSatisfy(
                        row -> // each step of the rogue takes the loop three periods
                        assertThat(row.get("skippedTicks").getAsInt()).isGreaterThan(DUE / 2));
        assertThat(out.toString().lines())
                .filteredOn(line -> line.startsWith("| "))
                .hasSize(1 + rows.size())
                .allMatch(line -> line.length() <= 100, "within 100 columns");
        assertThat(out.toString().contains("virtual, which needs JDK 21")).isEqualTo(!Way.VIRTUAL.isThere());
    }

    @Test
    void shouldLeaveOutRowsThatAreTooLargeAndSaySo() {
        assertThat(execute("--worlds", "201", "--ways", "services", "--loads", "idle"))
                .as("exit code: %s", err)
                .isZero();
        assertThat(out.toString()).contains("Left out: services beyond 200 worlds, for each has a thread.");
        assertThat(out.toString().lines())
                .filteredOn(line -> line.startsWith("| "))
                .hasSizeLessThan(2);
    }

    @Test
    void shouldCountWhatIsDueInTheWindowAndBeginsInTime() {
        long period = WorldsMeter.PERIOD_NANOS;
        WorldsMeter.Window window = new WorldsMeter.Window(0, 2 * period);
        assertThat(window.counts(0, 3 * period - 1)).isTrue();
        assertThat(window.counts(2 * period - 1, 2 * period)).isTrue();
        assertThat(window.counts(-1, 0)).as("due before").isFalse();
        assertThat(window.counts(2 * period, 2 * period)).as("due after").isFalse();
        assertThat(window.counts(0, 3 * period)).as("begun too late").isFalse();
    }

    @Test
    void shouldCountTicksThatDoNotCome() {
        Row row = new WorldsMeter(2).measure(Way.LOOP, Load.IDLE, 50_000_000);
        assertThat(row.skippedTicks()).isEqualTo(10);
        assertThat(row.latenessMicros()).isZero();
    }

    @Test
    void shouldDivideBytesByTheTicksThatWereDueWhereNoneRan() {
        assertThat(WorldsMeter.bytesPerTick(1_000, 50, 100)).isEqualTo(20);
        assertThat(WorldsMeter.bytesPerTick(1_000, 0, 100)).isEqualTo(10);
    }

    static Stream<Way> ways() {
        return Stream.of(Way.values()).filter(Way::isThere);
    }

    /** A failure would otherwise look like a way that skips ticks. */
    @ParameterizedTest
    @MethodSource("ways")
    void shouldReportAFailureAndCloseAllWorlds(Way way) throws InterruptedException {
        AtomicInteger closed = new AtomicInteger();
        CountDownLatch thrown = new CountDownLatch(1);
        WorldsMeter meter = new WorldsMeter(2);
        try (Way.Ticking ticking = way.start(meter)) {
            ticking.add(new Closing(closed));
            ticking.add(new ForwardingSimulation(new Closing(closed)) {
                @Override
                public void step(Tick tick) {
                    thrown.countDown();
                    throw new IllegalStateException("planted");
                }
            });
            thrown.await();
            assertThatThrownBy(() -> meter.measure(way, Load.IDLE, 300_000_000))
                    .hasMessage("a world of " + way + " failed: java.lang.IllegalStateException: planted");
        }
        assertThat(closed).hasValue(2);
    }

    private static final class Closing extends ForwardingSimulation {

        private final AtomicInteger closed;

        Closing(AtomicInteger closed) {
            super(new SpringSimulation(1));
            this.closed = closed;
        }

        @Override
        public void close() {
            closed.incrementAndGet();
            super.close();
        }
    }
}
