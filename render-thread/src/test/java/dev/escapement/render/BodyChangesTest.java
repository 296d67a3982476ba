package dev.escapement.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the reported changes of hand-made worlds; {@code SceneBodiesTest} has random ones. */
class BodyChangesTest {

    private final CapturedWorld world = new CapturedWorld(1, 0, PoseLayout.PLAIN);
    private final BodyChanges changes = new BodyChanges();

    /** A renderer's bodies, which the visitor's calls update. */
    private final Map<Long, Long> nodes = new HashMap<>();

    @Test
    void shouldReportTheRestWhenAVisitorThrew() {
        Snapshot snapshot = populated(world, 1500, 0);
        BodyVisitor failsAfterEach = new Follower() {
            @Override
            public void appeared(long bodyId, long userData) {
                super.appeared(bodyId, userData);
                throw new IllegalStateException("a renderer's fault");
            }
        };
        for (int attempt = 0; attempt < 1500; attempt++) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> changes.visit(snapshot, failsAfterEach));
        }
        changes.visit(snapshot, failsAfterEach);
        assertThat(nodes).hasSize(1500);
    }

    /** The view changes to another world, in which some bodies have the ids of previous ones. */
    @Test
    void shouldReportOldBodiesAsVanishedBeforeNewOnes() {
        BodyChanges before = new BodyChanges();
        before.visit(populated(new CapturedWorld(1, 0, PoseLayout.PLAIN), 1500, 10_000), new Follower());
        changes.replace(before);
        Snapshot shown = populated(world, 3, 20_000);
        changes.visit(shown, new Follower() {
            @Override
            public void appeared(long bodyId, long userData) {
                assertThat(nodes).as("of the old world").doesNotContainValue(10_000L);
                super.appeared(bodyId, userData);
            }
        });
        assertThat(nodes.values()).containsExactlyInAnyOrder(20_000L, 20_001L, 20_002L);
        changes.visit(shown, new Follower());
        assertThat(nodes).hasSize(3);
    }

    private static Snapshot populated(CapturedWorld world, int bodies, long firstUserData) {
        return world.tick(poses -> {
            for (int body = 0; body < bodies; body++) {
                long id = poses.spawn(firstUserData + body);
                poses.set(BodyId.slot(id), 0, 0, 0, 0, 0, 0, 1);
            }
        });
    }

    private class Follower implements BodyVisitor {

        @Override
        public void appeared(long bodyId, long userData) {
            assertThat(nodes.put(bodyId, userData)).as("appeared twice").isNull();
        }

        @Override
        public void vanished(long bodyId, long userData) {
            assertThat(nodes.remove(bodyId))
                    .as("vanished without having appeared")
                    .isEqualTo(userData);
        }
    }
}
