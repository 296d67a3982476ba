package dev.escapement.physics.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.Await;
import dev.escapement.state.Slice;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class HostChurnTest {

    private static final int AT_A_TIME = 100;

    /** The number of worlds; ten thousand in the nightly run. */
    private static final int WORLDS =
            Math.max(AT_A_TIME, 10_000 / Slice.current().parts());

    @Test
    void shouldKeepNothingOfWorldsThatEnded() {
        Await.until(() -> Hosts.threads() == 0); // waits for the threads of other tests
        try (PhysicsHost host =
                PhysicsHost.builder().threads(2).watchdog(10_000).start()) {
            PhysicsService first = host.add(Hosts.world(new Dot()));
            long threads = Hosts.threads();
            List<WeakReference<PhysicsService>> ended = new ArrayList<>();
            while (ended.size() < WORLDS) {
                openAndClose(host, ended);
            }
            assertThat(host.worlds()).containsExactly(first);
            assertThat(Hosts.threads()).isEqualTo(threads);
            Await.until(() -> {
                System.gc();
                return ended.stream().allMatch(world -> world.get() == null);
            });
            Hosts.awaitTicks(first);
        }
        Await.until(() -> Hosts.threads() == 0);
    }

    /** Opens and closes worlds. A method of its own, so that the test's stack frame holds no reference to a service. */
    private static void openAndClose(PhysicsHost host, List<WeakReference<PhysicsService>> ended) {
        List<PhysicsService> worlds = new ArrayList<>();
        List<Dot> dots = new ArrayList<>();
        for (int i = 0; i < AT_A_TIME; i++) {
            dots.add(new Dot());
            worlds.add(host.add(Hosts.world(dots.get(i))));
        }
        worlds.forEach(PhysicsService::close);
        assertThat(dots).hasSize(AT_A_TIME).allMatch(dot -> dot.closes.get() == 1);
        worlds.forEach(world -> ended.add(new WeakReference<>(world)));
    }
}
