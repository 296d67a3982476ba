package dev.escapement.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the reported changes if a visitor throws; {@code SceneBodiesTest} has random worlds. */
class BodyChangesTest {

    @Test
    void shouldReportTheRestWhenAVisitorThrew() {
        Snapshot snapshot = new CapturedWorld(1, 0, PoseLayout.PLAIN).tick(poses -> {
            for (int body = 0; body < 1500; body++) {
                CapturedWorld.spawn(poses, body);
            }
        });
        BodyChanges changes = new BodyChanges();
        Set<Long> nodes = new HashSet<>();
        BodyVisitor failsAfterEach = new BodyVisitor() {
            @Override
            public void appeared(long bodyId, long userData) {
                assertThat(nodes.add(bodyId)).as("appeared once").isTrue();
                throw new IllegalStateException("a renderer's fault");
            }

            @Override
            public void vanished(long bodyId, long userData) {
                throw new AssertionError("all bodies exist");
            }
        };
        for (int attempt = 0; attempt < 1500; attempt++) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> changes.visit(snapshot, failsAfterEach))
                    .withMessageContaining("a renderer's fault");
        }
        changes.visit(snapshot, failsAfterEach);
        assertThat(nodes).hasSize(1500);
    }
}
