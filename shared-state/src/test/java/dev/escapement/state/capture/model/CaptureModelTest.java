package dev.escapement.state.capture.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random worlds of up to three blocks, checked against a model. Readers hold windows, so snapshots are reused in any order. */
class CaptureModelTest {

    private static final List<Channel> CHANNELS =
            List.of(new Channel("wheel", Channel.Blending.ANGLE), new Channel("weight", Channel.Blending.STEP));

    @ParameterizedTest
    @CsvSource({"1, 0, 3, 1, 0, 0", "2, 2, 2, 2, 1000, 0", "3, 1, 3, 2, 5000, 2147483640" // the generations wrap
    })
    void shouldShowEveryTickAsItWas(
            long seed, int channels, int windowSize, int readers, int preallocated, int generation) {
        PoseLayout layout = new PoseLayout(CHANNELS.subList(0, channels));
        CapturedWorld world = new CapturedWorld(windowSize, readers, preallocated, layout, generation);
        RandomSimulation simulation = new RandomSimulation(layout, seed);
        SplittableRandom random = new SplittableRandom(-seed);
        List<SnapshotReader> attached = new ArrayList<>();
        for (int r = 0; r < readers; r++) {
            attached.add(world.newReader());
        }
        Map<Long, Long> checksums = new HashMap<>();
        for (long tick = 1; tick <= 500; tick++) {
            Snapshot snapshot = world.tick(simulation);
            simulation.check(snapshot);
            checksums.put(tick, snapshot.checksum());
            for (SnapshotReader reader : attached) {
                if (random.nextInt(reader == attached.get(0) ? 2 : 15) == 0) {
                    assertUnchanged(reader, checksums);
                    reader.acquire();
                }
            }
        }
    }

    private static void assertUnchanged(SnapshotReader reader, Map<Long, Long> checksums) {
        for (int age = 0; reader.hasWindow() && age < reader.windowSize(); age++) {
            Snapshot held = reader.window().snapshot(age);
            assertThat(held.computeChecksum()).isEqualTo(checksums.get(held.tick()));
        }
    }
}
