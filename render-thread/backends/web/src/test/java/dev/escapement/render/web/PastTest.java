package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pages show the past of the world, and go back to it. */
class PastTest extends SenderFixture {

    private final Connected page = connect();

    /** Runs ticks. After each tick, the sender runs a round, and the page acknowledges the picture that it received. */
    private void run(int ticks) {
        for (int tick = 0; tick < ticks; tick++) {
            tickAndRound();
            page.acknowledgesIfShown();
        }
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            sender.round();
        }
    }

    private void asks(long tick) {
        page.says("{\"type\":\"rewind\",\"tick\":" + tick + "}");
        sender.round();
    }

    private static void shouldHaveGoneBack(Connected client, long from, long to) {
        assertThat(client.wire().take("rewound"))
                .extracting(JsonObject::toString)
                .containsExactly("{\"type\":\"rewound\",\"from\":" + from + ",\"to\":" + to + "}");
    }

    @Test
    void shouldShowThePastTicksThatAreKept() {
        run(40);
        page.says("{\"type\":\"history\",\"from\":30,\"count\":20}");
        rounds(10);
        assertThat(page.wire().pictures).hasSize(11);
        SeenWorld past = page.wire().pictures.get(4);
        assertThat(past.kind).isEqualTo(2);
        assertThat(past.complete).isTrue();
        assertThat(past.tick).isEqualTo(34);
        assertThat(past.body(1).x).isEqualTo(1000);
        assertThat(past.body(1).y).isEqualTo(34_000);
        assertThat(page.wire().take("historyEnd").get(0))
                .hasToString("{\"type\":\"historyEnd\",\"from\":30,\"count\":20,\"sent\":11}");
    }

    @Test
    void shouldReportWhatTeleportedInATickOfThePast() {
        run(10);
        world.capture = poses -> {
            poses.set(2, 7, 0, 0, 0, 0, 0, 1);
            poses.teleport(2);
        };
        run(1);
        world.capture = poses -> {};
        run(1);
        page.says("{\"type\":\"history\",\"from\":11,\"count\":2}");
        page.says("{\"type\":\"history\",\"from\":1,\"count\":1}");
        rounds(10);
        assertThat(page.wire().pictures).extracting(past -> past.tick).containsExactly(11L, 12L, 1L);
        assertThat(page.wire().pictures)
                .extracting(past -> past.snapped)
                .containsExactly(List.of(2), List.of(), List.of(0, 1, 2)); // all three bodies spawn in tick 1
    }

    @Test
    void shouldSendNoMoreOfThePastThanIsRead() {
        run(40);
        page.wire().reads = false;
        for (int i = 0; i < 20; i++) {
            page.says("{\"type\":\"history\",\"from\":1,\"count\":32}");
        }
        rounds(10);
        assertThat(page.wire().pictures).hasSize(Client.WINDOW);
        assertThat(page.wire().take("refused")).hasSize(20 - Client.MAX_REQUESTS);
    }

    @Test
    void shouldGoBackAndTellAllPagesWhatReadersCall() {
        run(100);
        Connected other = connect();
        asks(70);
        run(1);
        assertThat(world.ticks).isEqualTo(71);
        shouldHaveGoneBack(page, 100, 70);
        shouldHaveGoneBack(other, 100, 70);
        assertThat(page.wire().seen.body(1).y).isEqualTo(71_000);
        run(49); // the readers' tick 150 is the simulation's tick 120
        asks(140);
        run(1);
        assertThat(world.ticks).isEqualTo(111);
        shouldHaveGoneBack(page, 150, 140);
        assertThat(page.wire().take("refused")).isEmpty();
    }

    @Test
    void shouldRefuseATickThatIsGone() {
        run(100);
        asks(70);
        run(40); // the readers' tick 140 is the simulation's tick 110
        asks(71);
        assertThat(page.refusal("rewind")).isEqualTo("tick 71 is gone: after it, the world went back to before it");
        asks(141);
        assertThat(page.refusal("rewind")).isEqualTo("tick 141 is not kept: ticks 1 to 140 are");
        run(60);
        assertThat(world.ticks).as("untouched").isEqualTo(170);
        asks(110);
        run(1);
        assertThat(page.refusal("rewind"))
                .startsWith("the run cannot go back to tick 80: ticks ")
                .endsWith(". Tick 110 here is 80 of the simulation");
    }

    @Test
    void shouldAskOnceAtATime() {
        run(20);
        page.says("{\"type\":\"rewind\",\"tick\":10}");
        asks(15);
        assertThat(page.refusal("rewind")).isEqualTo("it goes back already");
        run(1);
        assertThat(world.ticks).isEqualTo(11);
    }

    /** Only the first world has a history that the page knows. */
    @Test
    void shouldNotLetTheNextWorldGoBack() {
        run(50);
        assertThat(rewinds()).isTrue();
        TestWorld next = TestWorld.of(3);
        next.ticks(20);
        sender.show(next.driver.newReader(), next.driver);
        rounds(1);
        page.acknowledges();
        assertThat(rewinds()).isFalse();
        asks(12);
        assertThat(page.refusal("rewind")).contains("keeps no past");
        assertThat(world.ticks).isEqualTo(50);
    }

    private boolean rewinds() {
        return page.wire().take("hello").get(0).get("rewinds").getAsBoolean();
    }
}
