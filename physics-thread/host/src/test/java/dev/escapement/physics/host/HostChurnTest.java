package dev.escapement.physics.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.Slice;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class HostChurnTest {

    private static final int AT_A_TIME = 100;

    /** At night ten thousand. */
    private static final int WORLDS =
            Math.max(AT_A_TIME, 10_000 / Slice.current().parts());

    /** The host goes on: what it kept of worlds that ended would be seen. */
    @Test
    void shouldKeepNothingOfWorldsThatEnded() {
        Hosts.await(() -> Hosts.threads() == 0); // of other tests
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
            Hosts.await(() -> {
                System.gc();
                return ended.stream().allMatch(world -> world.get() == null);
            });
            Hosts.awaitTicks(first);
        }
        Hosts.await(() -> Hosts.threads() == 0);
    }

    /** In a method of its own, so that nothing on the test's stack refers to a service. */
    private static void openAndClose(PhysicsHost host, List<WeakReference<PhysicsService>> ended) {
        List<PhysicsService> worlds = new ArrayList<>();
        List<Dot> dots = new ArrayList<>();
        for (int i = 0; i < AT_A_TIME; i++) {
            dots.add(new Dot());
            worlds.add(host.add(Hosts.world(dots.get(i))));
        }
        worlds.forEach(PhysicsService::close);
        assertThat(dots).allMatch(dot -> dot.closes.get() == 1);
        worlds.forEach(world -> ended.add(new WeakReference<>(world)));
    }
}
