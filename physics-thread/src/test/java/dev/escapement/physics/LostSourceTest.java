package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.input.InputState;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A device that throws or hangs is not heard after a restart, and leaves nothing held. */
@Timeout(60)
class LostSourceTest {

    private final IllegalStateException unplugged = new IllegalStateException("unplugged");

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CompletableFuture<String> firstTick = new CompletableFuture<>();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotBeHeardOnceItWasAbandoned(boolean afterTheRestart) throws Exception {
        CompletableFuture<Boolean> accepted = new CompletableFuture<>();
        PhysicsService service = builder(ScriptedSimulation.good())
                .source(ring -> {
                    Await.open(goOn);
                    accepted.complete(ring.offer(System.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0));
                })
                .watchdog(80)
                .start();
        Await.state(service, ServiceState.FAILED);
        List<String> heard = new ArrayList<>();
        if (!afterTheRestart) {
            goOn.countDown();
            Await.get(accepted);
        }
        service.restart(new ScriptedSimulation(tick -> {
            for (int i = 0; i < tick.input().size(); i++) {
                heard.add(tick.number() + ": " + tick.input().event(i));
            }
        }));
        goOn.countDown();
        assertThat(Await.get(accepted)).isFalse();
        Await.tickAfter(service, Await.get(service.query(now -> now)).tick() + 2);
        service.close();
        assertThat(heard).isEmpty();
        assertThat(service.input().rejected()).isEqualTo(1);
    }

    @Test
    void shouldLeaveNothingHeldWhenItThrows() throws Exception {
        Pressing lost = new Pressing(1, () -> {
            throw unplugged;
        });
        try (PhysicsService service = afterALoss(lost, new Pressing(2, () -> {}))) {
            assertThat(Await.get(firstTick)).isEqualTo("nothing of 1, all of 2");
            assertThat(service.failure()).isEmpty();
        }
    }

    @Test
    void shouldLeaveNothingHeldWhenItHangs() throws Exception {
        Pressing lost = new Pressing(1, () -> Await.open(goOn));
        try (PhysicsService service = afterALoss(lost, new Pressing(2, () -> {}))) {
            assertThat(Await.get(firstTick)).isEqualTo("nothing of 1, all of 2");
            assertThat(service.failure()).isEmpty();
        } finally {
            goOn.countDown();
        }
    }

    @Test
    void shouldKeepWhatItHoldsWhenOnlyTheSimulationIsLost() throws Exception {
        try (PhysicsService service = afterALoss(new Pressing(1, () -> {}), new Pressing(2, () -> {}))) {
            assertThat(Await.get(firstTick)).isEqualTo("all of 1, all of 2");
            assertThat(service.failure()).isEmpty();
        }
    }

    /** Restarted after a tick that saw everything held, and after which everything that is to break breaks. */
    private PhysicsService afterALoss(Pressing... sources) throws Exception {
        PhysicsServiceBuilder builder = builder(new ScriptedSimulation(tick -> {
                    if (sources[0].seen) {
                        throw unplugged; // none of the sources was lost before this tick
                    }
                    if (held(tick.input().state()).equals("all of 1, all of 2")) {
                        for (Pressing source : sources) {
                            source.seen = true;
                        }
                    }
                }))
                .watchdog(80);
        for (Pressing source : sources) {
            builder.source(source);
        }
        PhysicsService service = builder.start();
        Await.state(service, ServiceState.FAILED);
        service.restart(new ScriptedSimulation(
                tick -> firstTick.complete(held(tick.input().state()))));
        return service;
    }

    private static String held(InputState state) {
        return held(state, 1) + " of 1, " + held(state, 2) + " of 2";
    }

    private static String held(InputState state, int code) {
        boolean key = state.isKeyDown(code);
        boolean button = state.isButtonDown(code);
        float axis = state.axis(code);
        if (key && button && axis == 1) {
            return "all";
        }
        return key || button || axis != 0 ? "some" : "nothing";
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(2000));
    }

    /** Presses what has its number, once, and does what it is to do when a tick has seen that. */
    private static final class Pressing implements InputSource {

        private final int code;
        private final Runnable then;
        private boolean pressed;

        // Volatile: written by a tick, read by the poll before the next.
        private volatile boolean seen;

        Pressing(int code, Runnable then) {
            this.code = code;
            this.then = then;
        }

        @Override
        public void poll(InputRing ring) {
            if (!pressed) {
                pressed = true;
                long nowNanos = System.nanoTime();
                ring.offer(nowNanos, InputKind.KEY_DOWN, code, 0, 0);
                ring.offer(nowNanos, InputKind.BUTTON_DOWN, code, 0, 0);
                ring.offer(nowNanos, InputKind.AXIS_MOVED, code, 1, 0);
            }
            if (seen) {
                then.run();
            }
        }
    }
}
