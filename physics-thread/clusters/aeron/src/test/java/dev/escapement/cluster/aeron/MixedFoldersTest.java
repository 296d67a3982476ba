package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.cluster.aeron.ClusteredPhysicsTest.Hashed;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.Logged;
import dev.escapement.state.input.InputKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real nodes, of which one is started with the folder of another world. {@link WorldVotesTest} has all ways and orders. */
@Timeout(300)
class MixedFoldersTest {

    private static final List<String> HOSTS = Collections.nCopies(3, "localhost");

    @TempDir
    private Path folder;

    private final List<ClusteredPhysics> running = new ArrayList<>();

    private ClusteredPhysics start(int number, String world, Hashed simulation) {
        ClusteredPhysics started = new ClusteredPhysics(
                PhysicsService.builder(simulation),
                ClusterNode.of(number, HOSTS, folder.resolve(world + number), RUN),
                TimeUnit.MINUTES.toNanos(1),
                Long.MAX_VALUE / 2);
        running.add(started);
        return started;
    }

    @AfterEach
    void closeAll() {
        running.forEach(ClusteredPhysics::close);
        running.clear();
    }

    /** Runs three nodes of a world, and returns the hashes of node 0. */
    private List<Long> begin(String world) throws Exception {
        Hashed simulation = new Hashed();
        for (int number = 0; number < 3; number++) { // the second begins with the first one, which waits for it
            start(number, world, number == 0 ? simulation : new Hashed());
        }
        for (ClusteredPhysics node : running) {
            ClusteredPhysicsTest.play(node);
        }
        closeAll();
        return simulation.hashes;
    }

    private String world(String world, int number) throws IOException {
        return Files.readString(folder.resolve(world + number).resolve("world"));
    }

    /** What a folder has, but for its lock. */
    private Map<String, Integer> content(String name) throws IOException {
        Map<String, Integer> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder.resolve(name))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(file.toString(), Arrays.hashCode(Files.readAllBytes(file)));
            }
        }
        return content;
    }

    private static void expectTicks(Hashed again, List<Long> before) {
        int from = (int) again.firstTick - 1;
        int both = Math.min(again.hashes.size(), before.size() - from);
        assertThat(both).isPositive();
        assertThat(again.hashes.subList(0, both)).isEqualTo(before.subList(from, from + both));
    }

    @Test
    void theFolderOfAnotherWorldDestroysNothing() throws Exception {
        List<Long> ticksOfX = begin("x");
        List<Long> ticksOfY = begin("y");
        String x = world("x", 0);
        String y = world("y", 2);
        assertThat(x).isEqualTo(world("x", 1)).isEqualTo(world("x", 2)).isNotEqualTo(y);
        Map<String, Integer> wrongFolder = content("y2");
        Map<String, Integer> otherFolder = content("x2");
        try (Logged logged = new Logged("cluster")) {
            ClusteredPhysics wrong = start(2, "y", new Hashed());
            Hashed again = new Hashed();
            ClusteredPhysics right = start(0, "x", again);
            String waits = "node 0: waits, because no majority has a log of the same world: node 0 has " + x
                    + ", node 1 does not answer, node 2 has " + y;
            while (logged.records.stream().map(LogRecord::getMessage).noneMatch(line -> line.contains(waits))) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertThat(wrong.hasEnded() || right.hasEnded()).as("a tie waits").isFalse();
            for (ClusteredPhysics waiting : running) {
                assertThat(waiting.input().offer(System.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0))
                        .as("which no tick might get")
                        .isFalse();
            }
            assertThat(again.hashes).isEmpty();
            ClusteredPhysicsTest.play(start(1, "x", new Hashed()));
            ClusteredPhysicsTest.play(right);
            expectTicks(again, ticksOfX);
            while (!wrong.hasEnded()) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertThat(wrong.failure())
                    .hasValueSatisfying(why -> assertThat(why)
                            .hasMessageContaining("most nodes have world " + x)
                            .hasMessageContaining("node 2 ends and changes nothing"));
            assertThat(logged.records.stream().map(LogRecord::getMessage))
                    .as("said before it ends")
                    .anyMatch(line -> line.contains("node 2: most nodes have world " + x));
        }
        assertThat(content("y2")).isEqualTo(wrongFolder);
        assertThatIllegalStateException()
                .as("while the others run")
                .isThrownBy(() -> start(2, "y", new Hashed()))
                .withMessageContaining("node 2 ends and changes nothing");
        assertThat(content("y2")).isEqualTo(wrongFolder);
        ClusteredPhysicsTest.play(start(2, "empty", new Hashed()));
        assertThat(world("empty", 2)).isEqualTo(x);
        closeAll();
        Hashed ofY = new Hashed();
        ClusteredPhysics wrong = start(2, "x", new Hashed());
        start(1, "y", new Hashed());
        ClusteredPhysicsTest.play(start(0, "y", ofY));
        expectTicks(ofY, ticksOfY);
        while (!wrong.hasEnded()) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        closeAll();
        assertThat(content("x2")).isEqualTo(otherFolder);
    }

    /** What was committed may be in the log of the node that does not answer. */
    @Test
    void aNodeThatLostItsLogWaitsForTheOthers() throws Exception {
        List<Long> ticks = begin("x");
        String x = world("x", 0);
        IoUtil.delete(folder.resolve("x1/log").toFile(), false); // the file that names the world is left
        Hashed again = new Hashed();
        try (Logged logged = new Logged("cluster")) {
            start(0, "x", again);
            start(1, "x", new Hashed());
            String waits = "because no majority has a log of the same world: node 0 has " + x + ", node 1 has " + x
                    + ", but no log, node 2 does not answer; start the others";
            while (logged.records.stream().map(LogRecord::getMessage).noneMatch(line -> line.contains(waits))) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }
        assertThat(again.hashes).isEmpty();
        start(2, "x", new Hashed());
        for (ClusteredPhysics node : running) {
            ClusteredPhysicsTest.play(node);
        }
        expectTicks(again, ticks);
        closeAll();
        IoUtil.delete(folder.resolve("x1").toFile(), false);
        IoUtil.delete(folder.resolve("x2").toFile(), false); // the logs of a majority: a person decides
        DamagedFolderTest.copy(folder.resolve("x0"), folder.resolve("x1"));
        List<Long> all = again.hashes;
        Hashed third = new Hashed();
        start(0, "x", third);
        start(1, "x", new Hashed());
        start(2, "x", new Hashed());
        for (ClusteredPhysics node : running) {
            ClusteredPhysicsTest.play(node);
        }
        closeAll();
        expectTicks(third, all);
        assertThat(world("x", 2)).isEqualTo(x);
    }
}
