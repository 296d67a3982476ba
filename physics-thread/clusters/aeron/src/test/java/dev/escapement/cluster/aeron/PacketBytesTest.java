package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.aeron.ClusteredPhysicsTest.Ballast;
import dev.escapement.cluster.aeron.ClusteredPhysicsTest.Hashed;
import dev.escapement.physics.PhysicsService;
import dev.escapement.transport.aeron.AeronDriver;
import io.aeron.LogBuffers;
import io.aeron.archive.CatalogView;
import io.aeron.logbuffer.LogBufferDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A path may drop packets that are larger than IPv6 promises, and say nothing. */
@Timeout(120)
class PacketBytesTest {

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
                TimeUnit.MILLISECONDS.toNanos(300),
                Long.MAX_VALUE / 2);
    }

    /** Also those of the log and of states, which are copied to other nodes as they were recorded. */
    @Test
    void shouldFitTheSmallestPathOfIpv6() throws Exception {
        assertThat(AeronDriver.MTU_BYTES + 40 + 8).isLessThanOrEqualTo(1280);
        Hashed world = new Hashed();
        try (ClusteredPhysics physics = start(world)) {
            while (world.hashes.size() < 100) {
                physics.command(Ballast.TYPE, new Ballast()).get();
            }
            assertThat(ofStreams(physics)).containsExactly(AeronDriver.MTU_BYTES);
        }
        assertThat(ofRecordings()).containsExactly(AeronDriver.MTU_BYTES);
    }
}
