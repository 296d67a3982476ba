package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterWatchTest {

    private final List<String> told = new ArrayList<>();
    private boolean isBroken;

    private final ClusterWatch watch = new ClusterWatch(new ClusterListener() {
        @Override
        public void leadershipChanged(boolean leads) {
            told.add(leads ? "leads" : "follows");
        }

        @Override
        public void quorumChanged(boolean hasQuorum) {
            told.add(hasQuorum ? "quorum" : "alone");
            if (isBroken) {
                throw new IllegalStateException("broken");
            }
        }

        @Override
        public void lagChanged(boolean isBehind, long lagNanos) {
            told.add((isBehind ? "behind " : "even ") + lagNanos);
        }
    });

    @Test
    void eachChangeIsToldOnce() {
        watch.look(false, false, false, 5);
        assertThat(told).isEmpty();
        watch.look(true, true, false, 5);
        watch.look(true, true, false, 7);
        watch.look(false, true, true, 9);
        watch.look(false, false, false, 1);
        assertThat(told).containsExactly("quorum", "leads", "follows", "behind 9", "alone", "even 1");
    }

    @Test
    void whatAListenerThrowsHidesNothing() {
        isBroken = true;
        assertThatThrownBy(() -> watch.look(true, true, true, 3)).hasMessage("broken");
        isBroken = false;
        watch.look(true, true, true, 3);
        assertThat(told).containsExactly("quorum", "leads", "behind 3");
    }
}
