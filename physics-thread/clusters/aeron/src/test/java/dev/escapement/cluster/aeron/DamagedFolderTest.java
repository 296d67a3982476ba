package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.aeron.ClusteredPhysicsTest.Hashed;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.Slice;
import io.aeron.exceptions.DriverTimeoutException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A node whose folder is damaged runs the ticks that it ran before, or ends and says why. It never hangs or has another world. */
@Timeout(180)
class DamagedFolderTest {

    private static final int TICKS = 120;
    private static final int FURTHER_TICKS = 20;

    /** 1.5 times the maximum that {@link NodeProgress} waits. */
    private static final long WAIT_SECONDS = TimeUnit.NANOSECONDS.toSeconds(NodeProgress.MAX_SILENCE_NANOS) * 3 / 2;

    @TempDir
    private static Path original;

    private static Hashed before;

    @TempDir
    private Path folder;

    private final CompletableFuture<Integer> ranFurther = new CompletableFuture<>();

    /** Completes when it has run more ticks than are stored, and this many after the state that it began with. */
    private final class Watched extends Hashed {

        @Override
        public void step(Tick tick) {
            super.step(tick);
            if (tick.number() > before.hashes.size() + FURTHER_TICKS) {
                ranFurther.complete(hashes.size());
            }
        }
    }

    @BeforeAll
    static void runANode() throws Exception {
        before = new Hashed();
        try (ClusteredPhysics physics = start(before, original, 0)) {
            while (before.hashes.size() < TICKS) {
                physics.command(Push.TYPE, new Push(before.hashes.size() % 20, 1))
                        .get();
            }
        }
    }

    /**
     * Saves states at the same times whenever it is called: a node that saves at others has other ticks, and is refused. Each seed has
     * ports of its own: Aeron may never end reading what is damaged, and then it keeps its ports.
     */
    private static ClusteredPhysics start(Hashed world, Path folder, long seed) {
        ClusterNode usual = ClusterNode.of(0, List.of("localhost"), folder, RUN);
        int firstPort = usual.firstPort() + 1000 + (int) seed * ClusterNode.PORTS;
        return new ClusteredPhysics(
                PhysicsService.builder(world),
                new ClusterNode(0, usual.hosts(), firstPort, folder, RUN, usual.leadNanos(), usual.failover()),
                TimeUnit.MILLISECONDS.toNanos(700),
                Long.MAX_VALUE / 2);
    }

    static LongStream seeds() {
        return Slice.current().seeds(20);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void runsTheSameTicksOrSaysWhyNot(long seed) throws Exception {
        copy(original, folder);
        String damage = damage(new Random(seed));
        Watched again = new Watched();
        ClusteredPhysics physics;
        try {
            physics = start(again, folder, seed);
        } catch (IllegalStateException refused) {
            assertThat(refused).as(damage).hasMessageContaining("cannot continue from what is in " + folder);
            return;
        } catch (DriverTimeoutException busy) {
            // What an earlier seed has left reading what is damaged takes the cores. It has ended, and says why.
            assertThat(busy).as(damage).hasMessageContaining("no response from MediaDriver");
            return;
        }
        try (physics) {
            for (long left = WAIT_SECONDS * 100; left > 0 && !physics.hasEnded() && !ranFurther.isDone(); left--) {
                await();
            }
            assertThat(physics.hasEnded() || ranFurther.isDone())
                    .as("%s: it has ended, or made progress", damage)
                    .isTrue();
            if (!ranFurther.isDone()) {
                assertThat(physics.failure())
                        .as(damage)
                        .hasValueSatisfying(why ->
                                assertThat(why).hasMessageContaining("damaged").hasMessageContaining("empty"));
            }
        }
        if (!again.hashes.isEmpty()) {
            int from = (int) again.firstTick - 1;
            int both = Math.min(again.hashes.size(), before.hashes.size() - from);
            assertThat(again.hashes.subList(0, both)).as(damage).isEqualTo(before.hashes.subList(from, from + both));
        }
    }

    private void await() throws Exception {
        try {
            ranFurther.get(10, TimeUnit.MILLISECONDS);
        } catch (TimeoutException notYet) {
            // it is asked again whether it has ended
        }
    }

    /** Cuts a file, or turns a few bits where something was written. */
    private String damage(Random random) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.toFile().length() > 0 && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        }
        Path damaged = files.get(random.nextInt(files.size()));
        byte[] bytes = Files.readAllBytes(damaged);
        int written = bytes.length;
        while (written > 1 && bytes[written - 1] == 0) {
            written--;
        }
        StringBuilder damage = new StringBuilder(folder.relativize(damaged).toString());
        try (RandomAccessFile file = new RandomAccessFile(damaged.toFile(), "rw")) {
            if (random.nextInt(4) == 0) {
                file.setLength(random.nextInt(written));
                return damage + " cut to " + file.length() + " bytes of " + written;
            }
            for (int i = random.nextInt(3); i >= 0; i--) {
                int at = random.nextInt(written);
                int bit = 1 << random.nextInt(Byte.SIZE);
                file.seek(at);
                file.write(bytes[at] ^ bit);
                damage.append(", bit ").append(bit).append(" of byte ").append(at);
            }
        }
        return damage + " of " + written;
    }

    static void copy(Path from, Path to) throws IOException {
        IoUtil.delete(to.toFile(), true);
        try (Stream<Path> files = Files.walk(from)) {
            files.forEach(file -> {
                try {
                    Files.copy(file, to.resolve(from.relativize(file).toString()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
