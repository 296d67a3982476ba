package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.aeron.ClusteredPhysicsTest.Ballast;
import dev.escapement.cluster.aeron.ClusteredPhysicsTest.Hashed;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.Logged;
import dev.escapement.transport.aeron.AeronDriver;
import io.aeron.LogBuffers;
import io.aeron.archive.CatalogView;
import io.aeron.logbuffer.LogBufferDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A path may drop packets that are larger than IPv6 promises, and say nothing. */
@Timeout(120)
class PacketBytesTest {

    private static final int BEFORE = 1408;

    @TempDir
    private Path folder;

    /** The maximum packets of all streams, as a driver has them. */
    private static Set<Integer> ofStreams(ClusteredPhysics physics) throws IOException {
        Set<Integer> bytes = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of(physics.clientContext().aeronDirectoryName()))) {
            for (Path file :
                    files.filter(name -> name.toString().endsWith(".logbuffer")).toList()) {
                try (LogBuffers stream = new LogBuffers(file.toString())) {
                    bytes.add(LogBufferDescriptor.mtuLength(stream.metaDataBuffer()));
                }
            }
        }
        return bytes;
    }

    private Set<Integer> ofRecordings() {
        Set<Integer> bytes = new TreeSet<>();
        CatalogView.listRecordings(
                folder.resolve("log/archive").toFile(),
                (control, correlation, id, from, to, start, stop, term, segment, terms, mtu, s, i, c, o, by) ->
                        bytes.add(mtu));
        return bytes;
    }

    private ClusteredPhysics start(Hashed world) {
        return new ClusteredPhysics(
                PhysicsService.builder(world),
                ClusterNode.of(0, List.of("localhost"), folder, RUN),
                ClusterOptions.DEFAULT,
                TimeUnit.MILLISECONDS.toNanos(300),
                Long.MAX_VALUE / 2);
    }

    /** Also those of the log and of states, which are copied to other nodes as they were recorded. */
    @Test
    void shouldFitTheSmallestPathOfIpv6() throws Exception {
        assertThat(AeronDriver.MTU_BYTES + 40 + 8).isLessThanOrEqualTo(1280);
        try (ClusteredPhysics physics = start(new Hashed())) {
            while (physics.lastCommittedTick() < 100) {
                physics.command(Ballast.TYPE, new Ballast()).get();
            }
            assertThat(ofStreams(physics)).containsExactly(AeronDriver.MTU_BYTES);
        }
        assertThat(ofRecordings()).containsExactly(AeronDriver.MTU_BYTES);
    }

    /** Archive would refuse to add others to it. */
    @Test
    void shouldContinueALogOfLargerPacketsAndSaySo() throws Exception {
        Hashed before = new Hashed();
        try (ClusteredPhysics physics = start(before)) {
            while (before.hashes.size() < 10) {
                physics.command(Ballast.TYPE, new Ballast()).get();
            }
        }
        rewriteAsBefore(folder.resolve("log/archive/archive.catalog"));
        Hashed again = new Hashed();
        try (Logged logged = new Logged("cluster");
                ClusteredPhysics physics = start(again)) {
            long stored = physics.lastCommittedTick();
            while (physics.lastCommittedTick() < stored + 20) {
                assertThat(physics.command(Ballast.TYPE, new Ballast()).get().value())
                        .isEqualTo(Ballast.BYTES);
            }
            assertThat(ofStreams(physics)).containsExactly(AeronDriver.MTU_BYTES, BEFORE);
            assertThat(logged.records)
                    .extracting(LogRecord::getMessage)
                    .contains("Cluster, node 0: the log in " + folder + " began with packets of 1408 bytes, and keeps"
                            + " them: a path between nodes that drops them stops the cluster; where the MTU is below"
                            + " 1456, begin a new world, whose packets have 1216");
        }
    }

    /** A descriptor has the bytes of a term, then those of a packet. */
    private static void rewriteAsBefore(Path catalog) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(catalog)).order(ByteOrder.LITTLE_ENDIAN);
        int rewritten = 0;
        for (int at = 0; at + 2 * Integer.BYTES <= bytes.limit(); at += Integer.BYTES) {
            if (bytes.getInt(at) == AeronNode.TERM_BYTES && bytes.getInt(at + Integer.BYTES) == AeronDriver.MTU_BYTES) {
                bytes.putInt(at + Integer.BYTES, BEFORE);
                rewritten++;
            }
        }
        assertThat(rewritten).isEqualTo(1);
        Files.write(catalog, bytes.array());
    }
}
