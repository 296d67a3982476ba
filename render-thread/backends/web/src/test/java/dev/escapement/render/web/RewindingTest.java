package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import org.junit.jupiter.api.Test;

/** Pages rewind the world to a tick that they show. */
class RewindingTest extends SenderFixture {

    private final Connected page = connect();

    /** Runs ticks with a round after each; the page shows the last. */
    private void run(int ticks) {
        for (int tick = 0; tick < ticks; tick++) {
            tickAndRound();
            page.acknowledgesIfShown();
        }
    }

    private void asks(long tick) {
        page.says("{\"type\":\"rewind\",\"tick\":" + tick + "}");
        sender.round();
    }

    private String refusal() {
        JsonObject refused = page.wire().take("refused").get(0);
        assertThat(refused.get("what").getAsString()).isEqualTo("rewind");
        return refused.get("why").getAsString();
    }

    private void shouldHaveGoneBack(Connected client, long from, long to) {
        assertThat(client.wire().take("rewound"))
                .extracting(JsonObject::toString)
                .containsExactly("{\"type\":\"rewound\",\"from\":" + from + ",\"to\":" + to + "}");
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
        run(49); // the readers' 150 is the simulation's 120
        asks(140);
        run(1);
        assertThat(world.ticks).isEqualTo(111);
        shouldHaveGoneBack(page, 150, 140);
        assertThat(page.wire().take("refused")).isEmpty();
    }

    @Test
    void shouldTellPagesAlsoIfAGameWentBack() {
        run(50);
        assertThat(world.history.rewind(30)).isNotNull();
        run(1);
        shouldHaveGoneBack(page, 50, 30);
    }

    @Test
    void shouldRefuseATickThatIsGone() {
        run(100);
        asks(70);
        run(40); // the readers' 140 is the simulation's 110
        asks(71);
        assertThat(refusal()).isEqualTo("tick 71 is gone: after it, the world went back to before it");
        asks(141);
        assertThat(refusal()).isEqualTo("tick 141 is not kept: ticks 1 to 140 are");
        run(60);
        assertThat(world.ticks).as("untouched").isEqualTo(170);
        asks(110);
        run(1);
        assertThat(refusal())
                .startsWith("the run cannot go back to tick 80: ticks ")
                .endsWith(". Tick 110 here is 80 of the simulation");
    }

    @Test
    void shouldShowThePastAlsoWhileTimeStandsStill() {
        run(20);
        world.driver.pause();
        run(3);
        assertThat(world.ticks).isEqualTo(21);
        asks(12);
        run(3);
        run(1);
        assertThat(world.ticks).as("seen without a step").isEqualTo(12);
        shouldHaveGoneBack(page, 21, 12);
        run(2);
        assertThat(world.ticks).as("stands still").isEqualTo(12);
    }

    @Test
    void shouldAskOnceAtATime() {
        run(20);
        page.says("{\"type\":\"rewind\",\"tick\":10}");
        asks(15);
        assertThat(refusal()).isEqualTo("it goes back already");
        run(1);
        assertThat(world.ticks).isEqualTo(11);
    }

    @Test
    void shouldNotOfferItWhereTheWorldIsOnlyShown() {
        sender.close();
        sender = sender(null);
        Connected other = connect();
        run(3);
        assertThat(rewinds(other)).isFalse();
        other.says("{\"type\":\"rewind\",\"tick\":2}");
        sender.round();
        assertThat(other.wire().take("refused").get(0).get("why").getAsString()).contains("is only shown");
    }

    /** The page does not know the next world's history. */
    @Test
    void shouldNotLetTheNextWorldGoBack() {
        run(50);
        assertThat(rewinds(page)).isTrue();
        TestWorld next = TestWorld.of(3);
        sender.show(next.driver.newReader(), next.driver);
        for (int tick = 0; tick < 20; tick++) {
            next.tick();
            sender.round();
            page.acknowledgesIfShown();
        }
        assertThat(rewinds(page)).isFalse();
        asks(12);
        assertThat(refusal()).contains("keeps no past");
        assertThat(world.ticks).isEqualTo(50);
    }

    private static boolean rewinds(Connected page) {
        return page.wire().take("hello").get(0).get("rewinds").getAsBoolean();
    }
}
