package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.aeron.ClusteredPhysicsTest.Hashed;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.state.Slice;
import io.aeron.exceptions.DriverTimeoutException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes with a damaged folder run the same ticks as before, or end and say why. They never hang, and never have another world. */
@Timeout(90) // longer than a node reads without progress
class DamagedFolderTest {

    private static final int TICKS = 120;
    private static final int FURTHER_TICKS = 20;

    @TempDir
    private static Path original;

    private static Hashed before;

    @TempDir
    private Path folder;

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
     * Starts a node that always saves at the same interval, because a cluster refuses a node with another one. Each seed has its own ports:
     * Aeron may read damaged files for ever, and then keeps its ports.
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
        copyOriginal();
        String damage = damage(new Random(seed));
        Hashed again = new Hashed();
        int enough = before.hashes.size() + FURTHER_TICKS;
        try (ClusteredPhysics physics = start(again, folder, seed)) {
            ClusteredPhysicsTest.await(() -> physics.hasEnded() || again.hashes.size() + again.firstTick > enough);
            if (physics.hasEnded()) {
                assertThat(physics.failure())
                        .as(damage)
                        .hasValueSatisfying(why ->
                                assertThat(why).hasMessageContaining("damaged").hasMessageContaining("empty"));
            }
        } catch (IllegalStateException refused) {
            assertThat(refused).as(damage).hasMessageContaining("cannot continue from what is in " + folder);
        } catch (DriverTimeoutException busy) {
            // Threads of an earlier seed still read damaged files, and take the cores. The node has ended, and says
            // why.
            assertThat(busy).as(damage).hasMessageContaining("no response from MediaDriver");
        }
        if (!again.hashes.isEmpty()) {
            again.requireSameTicks(before.hashes);
        }
    }

    private void copyOriginal() throws IOException {
        try (Stream<Path> files = Files.walk(original)) {
            for (Path file : files.skip(1).toList()) {
                Files.copy(file, folder.resolve(original.relativize(file).toString()));
            }
        }
    }

    /** Truncates a file, or flips a few bits in its written part. Returns a description. */
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
        if (random.nextInt(4) == 0) {
            bytes = Arrays.copyOf(bytes, random.nextInt(written));
            damage.append(" cut to ").append(bytes.length).append(" bytes of ").append(written);
        } else {
            for (int i = random.nextInt(3); i >= 0; i--) {
                int at = random.nextInt(written);
                int bit = random.nextInt(Byte.SIZE);
                bytes[at] ^= (byte) (1 << bit);
                damage.append(", bit ").append(bit).append(" of byte ").append(at);
            }
        }
        Files.write(damaged, bytes);
        return damage.toString();
    }
}
