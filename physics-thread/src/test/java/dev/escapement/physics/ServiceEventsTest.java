package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a subscriber hears across a restart. The first simulation ends in tick 7. */
@Timeout(60)
class ServiceEventsTest {

    private final IllegalStateException cause = new IllegalStateException("bodies overlap");
    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        letGo.countDown();
    }

    @Test
    void shouldTellThatTheOldBodiesWentAndTheNewOnesCame() throws Exception {
        ScriptedSimulation first = ScriptedSimulation.failingFrom(7, cause);
        PhysicsService service = builder(first).build();
        EventStream events = service.events(64);
        service.start();
        first.closed.await();
        service.restart(new Growing());
        Await.tickAfter(service, 10);
        service.close();
        assertThat(drain(events)).containsExactly("1 SPAWNED 0#1", "7 DESPAWNED 0#1", "7 SPAWNED 0#3", "9 SPAWNED 1#3");
    }

    /** Tick 7 was published, but what it told is not, for the thread was abandoned while it told it. */
    @Test
    void shouldDeliverNothingOfAThreadThatComesBackInTheMiddle() throws Exception {
        ScriptedSimulation first = new Telling() {
            @Override
            void told(long tick) throws Exception {
                if (tick == 7) {
                    letGo.await();
                }
            }
        };
        PhysicsService service = builder(first).watchdog(80).build();
        EventStream events = service.events(64);
        service.start();
        Await.state(service, ServiceState.FAILED);
        List<String> before = drain(events);
        assertThat(before).hasSize(7).last().isEqualTo("6 CONTACT_BEGAN 0#1");
        service.restart(ScriptedSimulation.good());
        Await.tickAfter(service, 10);
        letGo.countDown();
        first.closed.await();
        Await.tickAfter(service, 12);
        service.close();
        assertThat(drain(events)).containsExactly("8 DESPAWNED 0#1", "8 SPAWNED 0#3");
    }

    /** The second simulation shows nothing: it throws before anything was published. */
    @Test
    void shouldTellThatBodiesWentThoughTheNextSimulationNeverShowedAnything() throws Exception {
        ScriptedSimulation first = ScriptedSimulation.failingFrom(7, cause);
        PhysicsService service = builder(first).build();
        EventStream events = service.events(64);
        service.start();
        first.closed.await();
        ScriptedSimulation second = ScriptedSimulation.failingFrom(0, cause);
        service.restart(second);
        second.closed.await();
        service.restart(ScriptedSimulation.good());
        Await.tickAfter(service, 10);
        service.close();
        assertThat(drain(events)).containsExactly("1 SPAWNED 0#1", "7 DESPAWNED 0#1", "7 SPAWNED 0#5");
    }

    /** The second simulation is abandoned in its first tick, which was published: nobody heard of its body, and nobody will. */
    @Test
    void shouldTellThatBodiesWentThoughTheNextSimulationHungWhileItToldItsFirstTick() throws Exception {
        ScriptedSimulation first = ScriptedSimulation.failingFrom(7, cause);
        PhysicsService service = builder(first).watchdog(80).build();
        EventStream events = service.events(64);
        service.start();
        first.closed.await();
        service.restart(new Telling() {
            @Override
            void told(long tick) throws Exception {
                letGo.await();
            }
        });
        Await.state(service, ServiceState.FAILED);
        service.restart(ScriptedSimulation.good());
        Await.tickAfter(service, 10);
        service.close();
        assertThat(drain(events)).containsExactly("1 SPAWNED 0#1", "8 DESPAWNED 0#1", "8 SPAWNED 0#5");
    }

    /** A body that went in the tick that nobody heard of, too. */
    @Test
    void shouldTellThatABodyWentInTheTickThatAHangCutOff() throws Exception {
        ScriptedSimulation first = new Telling() {
            private long captured;

            @Override
            public void capture(PoseWriter poses) {
                captured++;
                int bodies = captured < 7 ? 2 : 1;
                poses.bodyCount(bodies);
                for (int i = 0; i < bodies; i++) {
                    poses.set(i, 0, 0, 0, 0, 0, 0, 1);
                }
            }

            @Override
            public void events(EventWriter events) throws Exception {
                told(captured);
            }

            @Override
            void told(long tick) throws Exception {
                if (tick == 7) {
                    letGo.await();
                }
            }
        };
        PhysicsService service = builder(first).watchdog(80).build();
        EventStream events = service.events(64);
        service.start();
        Await.state(service, ServiceState.FAILED);
        service.restart(ScriptedSimulation.good());
        Await.tickAfter(service, 10);
        service.close();
        assertThat(drain(events))
                .containsExactly(
                        "1 SPAWNED 0#1", "1 SPAWNED 1#1", "8 DESPAWNED 0#1", "8 DESPAWNED 1#1", "8 SPAWNED 0#3");
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(2000));
    }

    private static List<String> drain(EventStream stream) {
        List<String> texts = new ArrayList<>();
        stream.drain(event -> texts.add(event.tick() + " " + event.kind() + " " + BodyId.toString(event.body())));
        return texts;
    }

    /** Has a second body from its third capture on. */
    private static final class Growing implements Simulation {

        private int captures;

        @Override
        public void step(Tick tick) {}

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(++captures < 3 ? 1 : 2);
            poses.set(captures < 3 ? 0 : 1, 0, 0, 0, 0, 0, 0, 1);
        }
    }

    /** Begins a contact in every tick. */
    private abstract static class Telling extends ScriptedSimulation {

        private long tick;

        Telling() {
            super(now -> {});
        }

        abstract void told(long number) throws Exception;

        @Override
        public void step(Tick now) {
            tick = now.number();
        }

        @Override
        public void events(EventWriter events) throws Exception {
            events.contactBegan(0, EventWriter.NO_BODY, 0, 0, 0, 0, 1, 0);
            told(tick);
        }
    }
}
