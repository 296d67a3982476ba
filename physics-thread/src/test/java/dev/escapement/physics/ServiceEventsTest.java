package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

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

/** What a subscriber hears of a simulation that ends in tick 7. */
@Timeout(60)
class ServiceEventsTest {

    private final IllegalStateException cause = new IllegalStateException("bodies overlap");
    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void letGo() {
        letGo.countDown();
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
        letGo.countDown();
        first.closed.await();
        service.close();
        assertThat(service.lastTick()).isEqualTo(7);
        assertThat(drain(events)).isEmpty();
    }

    @Test
    void shouldHandOutWhatWasToldBeforeAFailureAfterIt() throws Exception {
        ScriptedSimulation first = ScriptedSimulation.failingFrom(7, cause);
        PhysicsService service = builder(first).build();
        EventStream events = service.events(64);
        service.start();
        first.closed.await();
        service.close();
        assertThat(drain(events)).containsExactly("1 SPAWNED 0#1");
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(2000));
    }

    private static List<String> drain(EventStream stream) {
        List<String> texts = new ArrayList<>();
        stream.drain(event -> texts.add(event.tick() + " " + event.kind() + " " + BodyId.toString(event.body())));
        return texts;
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
