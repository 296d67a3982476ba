package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a service whose simulation, or listener, or command goes wrong; every wait is for an event. */
@Timeout(60)
class ServiceFailureTest {

    private static final int LAST_GOOD_TICK = 6;

    private final IllegalStateException cause = new IllegalStateException("bodies overlap");

    @Test
    void shouldFailWhenAListenerThrows() throws Exception {
        ScriptedSimulation simulation = ScriptedSimulation.good();
        PhysicsService service = builder(simulation)
                .listener((tick, due, started, stepped, published) -> {
                    if (tick == LAST_GOOD_TICK) {
                        throw cause;
                    }
                })
                .start();
        SnapshotReader reader = service.newReader();
        simulation.closed.await();
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
        assertThat(service.failure()).containsSame(cause);
        reader.acquire();
        assertThat(reader.window().newestTick()).isEqualTo(LAST_GOOD_TICK);
    }

    @Test
    void shouldSurviveCommandsThatThrow() throws Exception {
        PhysicsService service = builder(ScriptedSimulation.good()).start();
        for (Throwable thrown : new Throwable[] {cause, new StackOverflowError(), new Exception("checked")}) {
            CompletableFuture<?> failing = service.command(tick -> {
                ServiceFailureTest.<RuntimeException>sneak(thrown);
                return tick;
            });
            assertThat(Await.failure(failing)).isSameAs(thrown);
        }
        Await.get(service.query(tick -> tick));
        assertThat(service.state()).isEqualTo(ServiceState.RUNNING);
        service.close();
    }

    @Test
    void shouldFailWithAnErrorToo() throws Exception {
        ScriptedSimulation simulation = new ScriptedSimulation(tick -> {
            throw new StackOverflowError();
        });
        PhysicsService service = builder(simulation).start();
        simulation.closed.await();
        service.close();
        assertThat(service.failure()).containsInstanceOf(StackOverflowError.class);
    }

    @Test
    void shouldKeepGoingWhenEverythingIsNotANumber() throws Exception {
        PhysicsService service = builder(new ScriptedSimulation(tick -> {}) {
                    @Override
                    public void capture(PoseWriter poses) {
                        float nan = Float.NaN;
                        poses.bodyCount(1);
                        poses.set(0, nan, nan, nan, nan, nan, nan, nan);
                    }
                })
                .start();
        Await.tickAfter(service, 10);
        assertThat(service.state()).isEqualTo(ServiceState.RUNNING);
        assertThat(service.quarantinedPoses()).isGreaterThanOrEqualTo(10);
        service.close();
    }

    /** So that what it had, a world of the game's, say, is free for another simulation. */
    @Test
    void shouldHaveClosedWhatFailedBeforeItSaysSo() throws Exception {
        AtomicReference<ServiceState> whileClosing = new AtomicReference<>();
        CompletableFuture<PhysicsService> built = new CompletableFuture<>();
        Simulation simulation = new ScriptedSimulation(tick -> {}) {
            @Override
            public void close() {
                whileClosing.set(built.join().state());
                super.close();
            }
        };
        PhysicsService service = builder(simulation)
                .listener((tick, due, started, stepped, published) -> {
                    throw cause;
                })
                .build();
        built.complete(service);
        service.start();
        Await.state(service, ServiceState.FAILED);
        assertThat(whileClosing).hasValue(ServiceState.RUNNING);
        service.close();
    }

    @Test
    void shouldTellTheCauseWhileWhatFailedIsStillBeingClosed() throws Exception {
        CountDownLatch letGo = new CountDownLatch(1);
        Simulation hangsInClose =
                new ScriptedSimulation(tick -> {
                    throw cause;
                }) {
                    @Override
                    public void close() {
                        Await.open(letGo);
                        super.close();
                    }
                };
        PhysicsService service = builder(hangsInClose).build();
        CompletableFuture<?> late = service.query(tick -> tick);
        service.start();
        assertThat(Await.failure(late)).hasCause(cause);
        assertThat(service.failure()).containsSame(cause);
        assertThat(service.state()).isEqualTo(ServiceState.RUNNING);
        letGo.countDown();
        service.close();
        assertThat(service.state()).isEqualTo(ServiceState.FAILED);
    }

    @Test
    void shouldTellTheSimulationItsThreadBeforeAnyCommandRuns() throws Exception {
        List<String> calls = Collections.synchronizedList(new ArrayList<>());
        PhysicsService service = builder(new ScriptedSimulation(tick -> calls.add("step")) {
                    @Override
                    public void begin() {
                        calls.add("begin on " + Thread.currentThread().getName());
                    }
                })
                .build();
        CompletableFuture<?> command = service.command(tick -> calls.add("command"));
        service.start();
        Await.get(command);
        Await.tickAfter(service, 2);
        service.close();
        assertThat(calls).startsWith("begin on escapement-physics", "command", "step", "step");
        assertThat(calls.subList(1, calls.size())).doesNotContain("begin on escapement-physics");
    }

    @Test
    void shouldFailWhenTheSimulationCannotBegin() throws Exception {
        AtomicBoolean stepped = new AtomicBoolean();
        ScriptedSimulation simulation = new ScriptedSimulation(tick -> stepped.set(true)) {
            @Override
            public void begin() throws Exception {
                throw new IOException("no such level");
            }
        };
        PhysicsService service = builder(simulation).start();
        Await.state(service, ServiceState.FAILED);
        assertThat(service.failure().orElseThrow()).hasMessage("no such level");
        assertThat(simulation.closed.getCount()).isZero();
        assertThat(stepped).isFalse();
        service.close();
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(2000));
    }
}
