package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnotherWorldTest extends SenderFixture {

    @Test
    void shouldDropMessagesForThePreviousWorld() {
        Connected page = start();
        TestWorld next = new TestWorld();
        next.ticks(3);
        sender.show(next.driver.newReader(), next.driver);
        page.says("{\"type\":\"pause\"}");
        page.acknowledges(); // a picture of the previous world
        page.says("{\"type\":\"pause\"}");
        sender.round();
        next.ticks(3);
        assertThat(next.ticks).isEqualTo(6);
        assertThat(page.wire().take("refused")).hasSize(2);
        page.acknowledges();
        page.says("{\"type\":\"pause\"}");
        sender.round();
        next.ticks(3);
        assertThat(next.ticks).as("paused after the next").isEqualTo(7);
        assertThat(page.wire().take("refused")).isEmpty();
        assertThat(List.of(world.driver.newReader(), world.driver.newReader()))
                .as("the old reader was closed")
                .hasSize(2);
    }

    @Test
    void shouldGreetAgainWhenThePageHasRoomForIt() {
        Connected page = start();
        page.wire().take("hello");
        TestWorld next = TestWorld.of(2);
        sender.show(next.driver.newReader(), next.driver);
        page.acknowledges();
        tickAndRound();
        assertThat(page.wire().seen.tick).as("the next has no window yet").isEqualTo(4);
        page.wire().reads = false;
        page.client().text("x".repeat(Client.MAX_TEXT_BYTES));
        page.wire().texts.clear();
        next.ticks(3);
        sender.round();
        assertThat(page.wire().texts).isEmpty();
        assertThat(page.wire().seen.bodies).as("no picture without a greeting").hasSize(3);
        page.wire().read();
        sender.round();
        assertThat(page.wire().take("hello")).hasSize(1);
        assertThat(page.wire().seen.bodies).hasSize(2);
    }
}
