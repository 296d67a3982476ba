package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks which pictures of the past a page is sent. */
class PastTest extends SenderFixture {

    private Connected after(int ticks) {
        Connected page = connect();
        world.ticks(2);
        for (int tick = 2; tick < ticks; tick++) {
            page.client().heard();
            tickAndRound();
        }
        return page;
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            sender.round();
        }
    }

    @Test
    void shouldShowThePastTicksThatAreKept() {
        Connected page = after(40);
        page.says("{\"type\":\"history\",\"from\":30,\"count\":20}");
        rounds(10);
        assertThat(page.wire().pictures).hasSize(11);
        SeenWorld past = page.wire().pictures.get(4);
        assertThat(past.kind).isEqualTo(2);
        assertThat(past.complete).isTrue();
        assertThat(past.tick).isEqualTo(34);
        assertThat(past.body(1).x).isEqualTo(1000);
        assertThat(past.body(1).y).isEqualTo(34_000);
        JsonObject end = page.wire().take("historyEnd").get(0);
        assertThat(end.get("from").getAsInt()).isEqualTo(30);
        assertThat(end.get("count").getAsInt()).isEqualTo(20);
        assertThat(end.get("sent").getAsInt()).isEqualTo(11);
    }

    @Test
    void shouldReportWhatTeleportedInATickOfThePast() {
        Connected page = after(10);
        world.capture = poses -> {
            poses.set(2, 7, 0, 0, 0, 0, 0, 1);
            poses.teleport(2);
        };
        tickAndRound(); // tick 11
        world.capture = poses -> {};
        tickAndRound();
        page.says("{\"type\":\"history\",\"from\":11,\"count\":2}");
        page.says("{\"type\":\"history\",\"from\":1,\"count\":1}");
        rounds(10);
        assertThat(page.wire().pictures).extracting(past -> past.tick).containsExactly(11L, 12L, 1L);
        assertThat(page.wire().pictures)
                .extracting(past -> past.snapped)
                .containsExactly(List.of(2), List.of(), List.of(0, 1, 2)); // the bodies spawn in the first tick
    }

    @Test
    void shouldResumeShowingThePresentMeanwhile() {
        Connected page = after(40);
        page.says("{\"type\":\"history\",\"from\":1,\"count\":32}");
        page.acknowledges();
        tickAndRound();
        assertThat(page.wire().seen.tick).isEqualTo(41);
        page.acknowledges();
        tickAndRound();
        assertThat(page.wire().seen.body(1).y).isEqualTo(42_000);
    }

    @Test
    void shouldSendNoMoreOfThePastThanIsRead() {
        Connected page = after(40);
        page.wire().reads = false;
        for (int i = 0; i < 20; i++) {
            page.says("{\"type\":\"history\",\"from\":1,\"count\":32}");
        }
        rounds(10);
        assertThat(page.wire().pictures).hasSize(Client.WINDOW);
        assertThat(page.wire().take("refused")).hasSize(20 - Client.MAX_REQUESTS);
    }

    @Test
    void shouldRefuseThePastBeforeThereIsOne() {
        Connected page = connect();
        page.says("{\"type\":\"history\",\"from\":1,\"count\":1}");
        sender.round();
        assertThat(page.wire().take("refused")).hasSize(1);
    }
}
