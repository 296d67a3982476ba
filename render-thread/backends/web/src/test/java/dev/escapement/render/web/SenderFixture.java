package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.escapement.state.world.WorldControl;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A sender without a thread, over a world on a manual clock. */
class SenderFixture {

    static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    final TestWorld world = TestWorld.of(3);
    Supplier<Map<String, Long>> counts = () -> Map.of("cut-ticks", 7L);
    Sender sender = sender(world.driver);

    Sender sender(@Nullable WorldControl controls) {
        return sender(controls, null);
    }

    Sender sender(@Nullable WorldControl controls, @Nullable WorldList worlds) {
        LivePageBuilder settings = LivePage.of(world.driver.newReader()).title("<b>\"title\"</b>");
        settings.counts(() -> counts.get());
        settings.controls = controls;
        if (controls == world.driver) {
            settings.rewinds(world.history);
        }
        return new Sender(settings, world.clock, worlds);
    }

    record Connected(Client client, FakeWire wire) {

        void says(String json) {
            client.received(ClientMessage.parse(json));
        }

        void acknowledgesIfShown() {
            if (wire.pictureCount > 0) {
                acknowledges();
            }
        }

        void acknowledges() {
            says("{\"type\":\"ack\",\"sequence\":" + wire.seen.sequence + "}");
        }

        /** Returns why the page's first message of a type was refused. */
        String refusal(String type) {
            JsonObject refused = wire.take("refused").get(0);
            assertThat(refused.get("what").getAsString()).isEqualTo(type);
            return refused.get("why").getAsString();
        }
    }

    Connected connect() {
        FakeWire wire = new FakeWire();
        Client client = new Client(wire, world.clock);
        if (!sender.arrived(client)) {
            throw new AssertionError("there was no room");
        }
        return new Connected(client, wire);
    }

    /** Connects a page to a world that has run three ticks, and runs a round. */
    Connected start() {
        world.ticks(3);
        Connected page = connect();
        sender.round();
        return page;
    }

    void tickAndRound() {
        world.tick();
        sender.round();
    }

    void tickAndRound(int count) {
        for (int i = 0; i < count; i++) {
            tickAndRound();
        }
    }

    void pass(long nanos) {
        for (long passed = 0; passed < nanos; passed += 20 * ROUND_NANOS) {
            world.clock.advance(20 * ROUND_NANOS);
            sender.round();
        }
    }
}
