package dev.escapement.physics.replay.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.OnPublish;
import dev.escapement.physics.replay.flight.FailingMasses.Game;
import dev.escapement.physics.replay.flight.FailingMasses.Way;
import dev.escapement.physics.replay.format.LogSource;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.ReplayResult.Outcome;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickHook.Fault.Reason;
import dev.escapement.state.Await;
import dev.escapement.state.Logged;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class FlightFilesTest {

    private static final TickHook.Fault NOT_FINITE = new TickHook.Fault(Reason.NOT_FINITE, 5, null, "");

    @TempDir
    Path folder;

    /**
     * Simulates the death of the process before, in and after each write, in ticks with and without a command, and in a change to the next
     * file.
     */
    @Test
    void shouldHaveTheTickThatDiesWhereverItDies() throws IOException {
        long[] tick = {0};
        SplittableRandom random = new SplittableRandom(1);
        FlightRecorder recorder = recorder();
        recorder.opener = file -> new FileOutputStream(file.toFile()) {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                if (tick[0] % 500 < 4 || tick[0] % 500 > 497) {
                    assertThat(lastTick(tick[0])).isBetween(tick[0] - 1, tick[0]);
                    int first = random.nextInt(length);
                    super.write(bytes, from, first);
                    assertThat(lastTick(tick[0])).isBetween(tick[0] - 1, tick[0]);
                    super.write(bytes, from + first, length - first);
                } else {
                    super.write(bytes, from, length);
                }
            }
        };
        try (Game game = Game.of(Way.NOT_AT_ALL, recorder, 0)) {
            for (tick[0] = 1; tick[0] <= 1010; tick[0]++) {
                game.play(tick[0]);
                if (tick[0] % 100 == 0) {
                    assertThat(lastTick(tick[0])).isEqualTo(tick[0]);
                }
            }
            assertThat(recorder.failure()).isEmpty();
        }
    }

    /** Returns the last tick that the next start would find. Called in or after {@code tick}. */
    private long lastTick(long tick) throws IOException {
        List<FlightPart> parts = new ArrayList<>();
        for (Path file : files("ring-")) {
            parts.addAll(FlightPart.of(new LogSource.File(file)));
        }
        parts = FlightPart.lastInARow(parts);
        if (parts.isEmpty()) {
            return 0;
        }
        assertThat(parts.get(0).start().tick()).isLessThanOrEqualTo(Math.max(0, tick - 3000));
        Path joined = folder.resolve("joined");
        Files.deleteIfExists(joined);
        try {
            FlightFiles.write(
                    joined, parts, Objects.requireNonNull(parts.get(0).header().report()));
        } catch (NoSuchFileException removedMeanwhile) {
            return lastTick(tick);
        }
        return InputLog.open(joined).lastPosition();
    }

    @Test
    void shouldGoOnWhenItsFilesAreCut() throws IOException {
        Path file = folder.resolve("asked.esclog");
        FlightRecorder recorder = recorder();
        try (Game game = Game.of(Way.NOT_AT_ALL, recorder, 0)) {
            game.play(700);
            for (Path ring : files("ring-")) {
                try (FileChannel channel = FileChannel.open(ring, StandardOpenOption.WRITE)) {
                    channel.truncate(0);
                }
            }
            game.play(800);
            assertThatThrownBy(() -> recorder.save(file)).hasMessage("nothing was recorded yet");
            game.play(1600);
            recorder.save(file);
        }
        assertThat(recorder.failure()).isEmpty();
        InputLog log = InputLog.open(file);
        assertThat(log.lastPosition()).isEqualTo(1600);
        assertThat(log.repeat(() -> new FailingMasses(Way.NOT_AT_ALL)).outcome())
                .isEqualTo(Outcome.RAN_THROUGH);
    }

    @Test
    void shouldEndWithoutTheServiceWhereAWriteFails() throws Exception {
        int[] left = {600};
        FlightRecorder recorder = recorder();
        recorder.opener = file -> new FileOutputStream(file.toFile()) {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                if (--left[0] < 0) {
                    throw new IOException("No space left on device");
                }
                super.write(bytes, from, length);
            }
        };
        long[] last = new long[1];
        try (Game game = new Game(new OnPublish(times -> last[0] = times.publishedTick()), recorder)) {
            game.play(2000);
            assertThatThrownBy(() -> recorder.save(folder.resolve("asked")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageMatching("the flight recorder has ended before tick \\d+: No space left on device");
            Await.until(() -> files("ring-").isEmpty());
        }
        assertThat(last[0]).isEqualTo(2000);
        assertThat(recorder.failure().orElseThrow().cause()).hasMessage("No space left on device");
        assertThat(files("ring-")).isEmpty();
        InputLog log = InputLog.open(files("flight-asked-").get(0));
        assertThat(log.report().orElseThrow().detail()).contains("No space left on device");
        assertThat(log.lastPosition()).isEqualTo(log.report().orElseThrow().tick());
        assertThat(log.repeat(() -> new FailingMasses(Way.NOT_AT_ALL)).outcome())
                .isEqualTo(Outcome.RAN_THROUGH);
    }

    @Test
    void shouldLeaveAPartThatIsNotItsOwn() throws IOException {
        Path part = Files.writeString(folder.resolve("asked.esclog.part"), "of another");
        FlightRecorder recorder = recorder();
        try (Game game = Game.of(Way.NOT_AT_ALL, recorder, 0)) {
            game.play(20);
            assertThatThrownBy(() -> recorder.save(folder.resolve("asked.esclog")))
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessageEndingWith("its process died; then remove it, or save to another file");
        }
        assertThat(part).hasContent("of another");
        assertThat(folder.resolve("asked.esclog")).doesNotExist();
    }

    /**
     * A later start archives a death that an earlier start could not archive. A folder that is not empty, in the place of an unfinished
     * file, makes the earlier start fail.
     */
    @Test
    void shouldKeepADeathUntilItIsArchived() throws IOException {
        try (Game game = Game.of(Way.NOT_AT_ALL, FlightRecorder.in(folder.resolve("dies"), FailingMasses.RUN), 0)) {
            game.play(20);
            for (Path ring : FailingMasses.files(folder.resolve("dies"), "ring-")) {
                Files.copy(ring, folder.resolve(ring.getFileName()));
            }
        }
        Path inTheWay = folder.resolve("flight-threw.esclog.part");
        Files.createDirectories(inTheWay.resolve("full"));
        FlightRecorder refused = recorder();
        Game.of(Way.NOT_AT_ALL, refused, 0).close();
        assertThat(refused.failure().orElseThrow().cause()).hasMessageContaining("cannot be used");
        Files.delete(inTheWay.resolve("full"));
        Game.of(Way.NOT_AT_ALL, recorder(), 0).close();
        assertThat(files("ring-")).isEmpty();
        InputLog log = InputLog.open(files("flight-").get(0));
        assertThat(log.report().orElseThrow().reason()).isEqualTo(Reason.DIED);
        assertThat(log.lastPosition()).isEqualTo(20);
    }

    @Test
    void shouldKeepItsRingWhereAFaultCannotBeArchived() throws IOException {
        Path inTheWay = folder.resolve(
                "flight-not-finite-tick-5-" + FlightFiles.key(FlightRecorder.report(NOT_FINITE, "")) + ".esclog.part");
        FlightRecorder recorder = recorder();
        try (Logged logged = new Logged("physics")) {
            try (Game game = Game.of(Way.NOT_AT_ALL, recorder, 0)) {
                game.play(20);
                Files.createDirectories(inTheWay.resolve("full"));
                recorder.fault(NOT_FINITE);
            }
            assertThat(logged.records)
                    .anySatisfy(record -> assertThat(record.getMessage())
                            .contains(
                                    "cannot archive a file in ",
                                    ". Tick 5 captured a pose that was not finite",
                                    "The next start archives"));
        }
        Files.delete(inTheWay.resolve("full"));
        Files.delete(inTheWay);
        assertThat(files("flight-")).isEmpty();
        Game.of(Way.NOT_AT_ALL, recorder(), 0).close();
        assertThat(files("ring-")).isEmpty();
        assertThat(InputLog.open(files("flight-died-").get(0)).lastPosition()).isEqualTo(20);
    }

    /** The reader of the copy blocks until the run has ended. The end of a run waits at most 2 s for a copy. */
    @Test
    void shouldRemoveNoFileBeforeACopyHasIt() throws Exception {
        Path file = folder.resolve("asked.esclog");
        FlightRecorder recorder = recorder();
        CountDownLatch isCopied = new CountDownLatch(1);
        CountDownLatch hasEnded = new CountDownLatch(1);
        FutureTask<?> saving = new FutureTask<>(() -> {
            recorder.save(file);
            return null;
        });
        try (Game game = Game.of(Way.NOT_AT_ALL, recorder, 0)) {
            game.play(1600);
            Objects.requireNonNull(recorder.ring).reading = path -> {
                isCopied.countDown();
                Await.open(hasEnded);
                return new LogSource.File(path);
            };
            new Thread(saving).start();
            Await.open(isCopied);
        }
        hasEnded.countDown();
        saving.get();
        assertThat(InputLog.open(file).ticks()).isEqualTo(1600);
        Await.until(() -> files("ring-").isEmpty());
    }

    private FlightRecorder recorder() {
        return FlightRecorder.in(folder, FailingMasses.RUN).maxBytes(1 << 20);
    }

    private List<Path> files(String prefix) {
        return FailingMasses.files(folder, prefix);
    }
}
