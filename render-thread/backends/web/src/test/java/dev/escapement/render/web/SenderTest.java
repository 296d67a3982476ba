package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.DragInput;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Checks what a page is sent, round by round. */
class SenderTest extends SenderFixture {

    @Test
    void shouldGreetAndShowTheWorld() {
        Connected page = start();
        assertThat(page.wire().texts.get(0)).startsWith("{\"type\":\"hello\",");
        JsonObject hello = page.wire().take("hello").get(0);
        assertThat(hello.toString()).contains("\"protocol\":1,", "\"rate\":[100,1],", "\"controls\":true,");
        assertThat(hello.get("title").getAsString()).isEqualTo("<b>\"title\"</b>");
        assertThat(hello.get("threadPolicyDetails").getAsString())
                .isEqualTo("nothing was asked of the operating system");
        assertThat(page.wire().seen.tick).isEqualTo(3);
        assertThat(page.wire().seen.bodies).hasSize(3);
    }

    /** Without controls, the page cannot be greeted before the first tick, because nobody knows the rate. */
    @Test
    void shouldSpeakBeforeTheFirstTick() {
        sender = sender(null);
        Connected page = connect();
        pass(TimeUnit.SECONDS.toNanos(4));
        assertThat(page.wire().texts)
                .containsExactly("{\"type\":\"waiting\",\"why\":\"waits for the world’s first tick\"}");
    }

    /** A page takes 5 s of silence for a lost connection. */
    @Test
    void shouldSpeakEachSecondWhileTimeStandsStill() {
        Connected page = start();
        List<Runnable> stops = List.of(world.driver::pause, () -> world.driver.close());
        for (Runnable stop : stops) {
            stop.run();
            for (int second = 0; second < 12; second++) {
                page.acknowledges();
                page.wire().texts.clear();
                pass(TimeUnit.SECONDS.toNanos(1));
                assertThat(page.wire().texts).as("second " + second).isNotEmpty();
            }
        }
        assertThat(page.wire().closeReason).isEmpty();
    }

    @Test
    void shouldCloseAllEvenIfCountsFail() {
        world.ticks(3);
        Connected page = connect();
        page.says("{\"type\":\"drag\",\"slot\":2,\"generation\":1}");
        sender.round();
        TestWorld next = new TestWorld();
        sender.show(next.driver.newReader(), next.driver);
        counts = () -> {
            throw new IllegalStateException("no counts");
        };
        sender.close();
        assertThat(page.wire().closeCode).isEqualTo(Client.GOING_AWAY);
        assertThat(List.of(world.driver.newReader(), world.driver.newReader())).hasSize(2);
        assertThat(List.of(next.driver.newReader(), next.driver.newReader())).hasSize(2);
        world.tick();
        assertThat(world.cameAndWent).as("let go").endsWith("SENDER_LEFT 1");
        assertThat(world.dragger).isEqualTo(DragInput.NOBODY);
        assertThat(world.eventsWanted).isFalse();
    }

    @Test
    void shouldKeepNoPictureOfAClientThatIsGone() {
        Connected page = start();
        Quantised shown = Objects.requireNonNull(page.client().shown);
        assertThat(shown.users).isEqualTo(1);
        page.client().gone = true;
        sender.round();
        assertThat(shown.users).isZero();
    }

    @Test
    void shouldSendASlowClientFewerButNeverOlderPictures() {
        world.ticks(3);
        Connected slow = connect();
        Connected quick = connect();
        sender.round();
        for (int tick = 4; tick < 100; tick++) {
            quick.acknowledges();
            if (tick % 10 == 0) {
                slow.acknowledges();
            }
            tickAndRound();
            assertThat(quick.wire().seen.tick).isEqualTo(tick);
            if (tick % 10 == 0) {
                assertThat(slow.wire().seen.tick).as("the newest").isEqualTo(tick);
            }
        }
        assertThat(quick.wire().pictureCount).isEqualTo(97);
        assertThat(slow.wire().pictureCount).isBetween(10, 20);
    }

    @Test
    void shouldCloseAClientThatAcknowledgesWhatWasNotSent() {
        Connected page = start();
        page.says("{\"type\":\"ack\",\"sequence\":7}");
        sender.round();
        assertThat(page.wire().closeCode).isEqualTo(Client.POLICY);
    }

    @Test
    void shouldCloseAClientThatReadsNothing() {
        world.ticks(3);
        Connected stuck = connect();
        Connected page = connect();
        stuck.wire().reads = false;
        for (int i = 0; i < 1100; i++) {
            stuck.acknowledgesIfShown(); // the stuck page reads nothing, but still sends
            page.client().heard();
            page.acknowledgesIfShown();
            tickAndRound();
            assertThat(page.wire().seen.tick).isEqualTo(4 + i);
        }
        assertThat(stuck.wire().closeReason).isEqualTo("nothing was read for 10 s");
        assertThat(stuck.wire().pictureCount).isEqualTo(Client.WINDOW);
        assertThat(page.wire().closeReason).isEmpty();
        pass(TimeUnit.SECONDS.toNanos(4));
        assertThat(stuck.wire().cut).isTrue();
        assertThat(stuck.wire().unread()).as("bounded").isLessThan(1000);
    }

    @Test
    void shouldCloseAClientThatGivesNoSignOfLife() {
        Connected page = connect();
        pass(TimeUnit.SECONDS.toNanos(9));
        assertThat(page.wire().pings).isPositive();
        page.client().heard();
        pass(TimeUnit.SECONDS.toNanos(9));
        assertThat(page.wire().closeReason).isEmpty();
        pass(TimeUnit.SECONDS.toNanos(2));
        assertThat(page.wire().closeReason).isEqualTo("no sign of life for 10 s");
    }

    /** The program stops at a breakpoint, or while a laptop sleeps, and can receive nothing. */
    @Test
    void shouldKeepItsClientsWhenTheProgramWasStopped() {
        world.ticks(3);
        Connected page = connect();
        page.wire().reads = false;
        tickAndRound();
        world.clock.advance(TimeUnit.HOURS.toNanos(1));
        pass(TimeUnit.SECONDS.toNanos(9));
        assertThat(page.wire().closeReason).isEmpty();
        pass(TimeUnit.SECONDS.toNanos(2));
        assertThat(page.wire().closeReason).isEqualTo("nothing was read for 10 s");
    }

    @Test
    void shouldTakeNoMoreMessagesThanItHasRoomFor() {
        Connected page = connect();
        for (int i = 0; i < Client.MAX_MESSAGES; i++) {
            page.says("{\"type\":\"pause\"}");
        }
        assertThat(page.wire().demanded).isEqualTo(Client.MAX_MESSAGES - 1);
        sender.round();
        assertThat(page.wire().demanded).as("goes on").isEqualTo(Client.MAX_MESSAGES);
    }

    @Test
    void shouldFollowContactsWhileAClientIsThere() {
        world.events = events -> {
            events.contactBegan(0, 2, 1, 2, 3, 0, 1, 0);
            events.contactBegan(1, EventWriter.NO_SLOT, 1, 2, 3, 0, 0, 0); // normal 0: its place is unknown
        };
        world.ticks(4);
        assertThat(world.eventsWanted).isFalse();
        Connected page = connect();
        sender.round();
        for (int tick = 5; tick < 8; tick++) {
            tickAndRound();
            assertThat(world.eventsWanted).isTrue();
            assertThat(page.wire().take("contacts").toString())
                    .as("at once, before the page shows the tick")
                    .contains("\"list\":[[" + tick + ",1.0,2.0,3.0,0.0,1.0,0.0]]");
        }
        page.client().gone = true;
        sender.round();
        world.ticks(2);
        sender.round();
        world.ticks(2);
        assertThat(world.eventsWanted).isFalse();
    }

    @Test
    void shouldSayHowTheWorldIs() {
        Connected page = start();
        sender.round();
        assertThat(page.wire().take("state").get(0).toString())
                .contains("\"running\":true,", "\"failure\":null,", "\"historyFrom\":1,\"historyTo\":3,")
                .contains("\"counts\":{\"cut-ticks\":7}");
        page.says("{\"type\":\"scale\",\"value\":0.5}");
        page.says("{\"type\":\"pause\"}");
        tickAndRound();
        tickAndRound();
        sender.round();
        assertThat(page.wire().take("state"))
                .last()
                .asString()
                .contains("\"running\":false,", "\"paused\":true,", "\"scale\":0.5,");
    }

    @Test
    void shouldSendTheLastPictureToALatePage() {
        world.ticks(3);
        sender.round();
        world.driver.close();
        Connected page = connect();
        sender.round();
        sender.round();
        assertThat(page.wire().seen.tick).isEqualTo(3);
        assertThat(page.wire().take("state").get(0).get("ended").getAsBoolean()).isTrue();
        page.says("{\"type\":\"history\",\"from\":1,\"count\":3}");
        sender.round();
        assertThat(page.wire().pictures).isNotEmpty();
    }
}
