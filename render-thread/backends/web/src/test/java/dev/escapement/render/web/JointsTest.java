package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.world.BodyJoint;
import dev.escapement.state.world.BodyJoint.End;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class JointsTest extends SenderFixture {

    private static final int SECOND_TICKS = 100;

    private final BodyJoint rod =
            new BodyJoint(new End(BodyId.of(0, 1), 0.5, 0, 0), new End(BodyId.of(2, 1), 0, -1, 0));
    private final BodyJoint hanger =
            new BodyJoint(new End(BodyId.of(1, 1), 0, 0, 0.25), new End(End.WORLD, 1e6 + 0.5, 7, -3));

    private static List<JsonObject> sent(Connected to) {
        return to.wire().take("joints");
    }

    @Test
    void shouldSendTheEndsOfJointsToEachPageOnce() {
        world.joints = List.of(rod, hanger);
        tickAndRound(2 * SECOND_TICKS);
        assertThat(world.jointQueries).as("no page is open").isZero();
        Connected first = connect();
        tickAndRound(3 * SECOND_TICKS);
        assertThat(world.jointQueries).as("one each second").isEqualTo(3);
        List<JsonObject> messages = sent(first);
        assertThat(messages).hasSize(1);
        assertThat(messages.get(0).get("list").toString())
                .isEqualTo("[[[0.0,1.0,0.5,0.0,0.0],[2.0,1.0,0.0,-1.0,0.0]],"
                        + "[[1.0,1.0,0.0,0.0,0.25],[0.0,0.0,1000000.5,7.0,-3.0]]]");
        assertThat(messages.get(0).get("tick").getAsLong()).isBetween(200L, 205L);
        Connected late = connect();
        tickAndRound(2);
        assertThat(sent(late)).isEqualTo(messages);
        assertThat(sent(first)).isEmpty();
    }

    @Test
    void shouldSendJointsAgainWhenTheyHaveChanged() {
        Connected page = connect();
        tickAndRound(SECOND_TICKS);
        assertThat(sent(page)).as("without joints").isEmpty();
        world.joints = List.of(rod, hanger);
        tickAndRound(SECOND_TICKS + 3);
        assertThat(sent(page)).hasSize(1);
        world.joints = List.of(hanger);
        tickAndRound(SECOND_TICKS + 3);
        assertThat(sent(page).toString()).contains("1000000.5").doesNotContain("-1.0");
        world.joints = List.of();
        tickAndRound(SECOND_TICKS + 3);
        assertThat(sent(page)).asString().contains("\"list\":[]");
        TestWorld next = TestWorld.of(3);
        next.ticks(3);
        next.joints = List.of(rod);
        sender.show(next.driver.newReader(), next.driver);
        for (int i = 0; i < 5; i++) {
            next.tick();
            sender.round();
        }
        assertThat(sent(page).toString()).as("of the world that is shown").contains("-1.0");
    }

    @Test
    void shouldBoundJointsAndRetryAfterAFailure() {
        world.joints = Collections.nCopies(3 * Joints.MAX_JOINTS, hanger);
        Connected page = connect();
        tickAndRound(5);
        assertThat(sent(page).get(0).get("list").getAsJsonArray()).hasSize(Joints.MAX_JOINTS);
        world.joints = null;
        tickAndRound(SECOND_TICKS + 3);
        assertThat(sent(page)).isEmpty();
        world.joints = List.of(rod);
        tickAndRound(SECOND_TICKS + 3);
        assertThat(sent(page).get(0).get("list").getAsJsonArray()).hasSize(1);
    }
}
