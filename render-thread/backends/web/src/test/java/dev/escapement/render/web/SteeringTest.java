package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.RemoteSources;
import org.junit.jupiter.api.Test;

class SteeringTest extends SenderFixture {

    private Connected page = start();

    private String refusal(String type) {
        sender.round();
        return page.refusal(type);
    }

    private void shouldRefuseNothing() {
        sender.round();
        assertThat(page.wire().take("refused")).isEmpty();
    }

    private void fillInput(InputKind kind) {
        while (world.driver.input().offer(world.clock.nanoTime(), kind, 1, 0, 0)) {
            assertThat(world.driver.input().rejected()).isZero();
        }
    }

    private long newestTick() {
        page.acknowledges();
        sender.round();
        return page.wire().seen.tick;
    }

    @Test
    void shouldPauseStepAndResume() {
        page.says("{\"type\":\"pause\"}");
        shouldRefuseNothing();
        world.ticks(5);
        long paused = newestTick();
        assertThat(paused).isEqualTo(4);
        page.says("{\"type\":\"step\"}");
        shouldRefuseNothing();
        world.ticks(5);
        assertThat(newestTick()).isEqualTo(5);
        page.says("{\"type\":\"resume\"}");
        shouldRefuseNothing();
        world.ticks(5);
        assertThat(newestTick()).isGreaterThan(5);
    }

    @Test
    void shouldRefuseToDragWhatIsGone() {
        page.says("{\"type\":\"drag\",\"slot\":2,\"generation\":3}");
        assertThat(refusal("drag")).isEqualTo("body 2#3 is gone");
        page.says("{\"type\":\"drag\",\"slot\":1,\"generation\":2}");
        assertThat(refusal("drag")).contains("odd");
    }

    @Test
    void shouldDragOneBodyForOnePageAtATime() {
        page.says("{\"type\":\"drag\",\"slot\":2,\"generation\":1}");
        page.says("{\"type\":\"dragTo\",\"x\":1,\"y\":2.5,\"z\":-3}");
        shouldRefuseNothing();
        Connected other = connect();
        other.says("{\"type\":\"drag\",\"slot\":1,\"generation\":1}");
        sender.round();
        assertThat(other.refusal("drag")).isEqualTo("another page drags a body");
        world.tick();
        assertThat(world.inputs)
                .containsExactly(
                        DragInput.HOLD + " 2.0 16.0",
                        DragInput.REMAINDER + " 0.0 0.0",
                        DragInput.HEIGHT + " 2.5 0.0",
                        DragInput.TO + " 1.0 -3.0");

        page.says("{\"type\":\"dragEnd\"}");
        sender.round();
        other.says("{\"type\":\"drag\",\"slot\":1,\"generation\":1}");
        sender.round();
        world.inputs.clear();
        world.tick();
        assertThat(world.inputs).hasSize(2).first().isEqualTo(DragInput.END + " 0.0 0.0");
    }

    /** On a page that drags no body, the wheel only zooms. It must not make the page a sender of input. */
    @Test
    void shouldOfferWheelTurnsOfTheDraggingPage() {
        page.says("{\"type\":\"wheel\",\"x\":0,\"y\":1}");
        assertThat(refusal("wheel")).isEqualTo("no body was taken; send 'drag' first");
        page.says("{\"type\":\"drag\",\"slot\":2,\"generation\":1}");
        page.says("{\"type\":\"wheel\",\"x\":0.5,\"y\":-2}");
        shouldRefuseNothing();
        world.tick();
        assertThat(world.cameAndWent).containsExactly("SENDER_JOINED 1");
        assertThat(world.inputs).containsExactly(DragInput.HOLD + " 2.0 16.0", "WHEEL 0 (0.5, -2.0) of sender 1");
        fillInput(InputKind.APPLICATION);
        page.says("{\"type\":\"wheel\",\"x\":0,\"y\":1}");
        assertThat(refusal("wheel")).isEqualTo("the world's input is full; try again");
    }

    @Test
    void shouldRefuseToDragWhileTooManySendersHaveJoined() {
        RemoteSources others = new RemoteSources(world.driver.input());
        for (int i = 0; i < InputFrame.MAX_SENDERS; i++) {
            others.join();
            world.driver.runDueTicks();
        }
        page.says("{\"type\":\"drag\",\"slot\":2,\"generation\":1}");
        assertThat(refusal("drag")).isEqualTo("the world has its maximum of senders; wait until one leaves");
    }

    @Test
    void shouldLetGoWhenThePageIsGone() {
        world.tick();
        assertThat(world.cameAndWent).as("a page that looks on is no sender").isEmpty();
        page.says("{\"type\":\"drag\",\"slot\":2,\"generation\":1}");
        shouldRefuseNothing();
        world.tick();
        assertThat(world.dragger).isEqualTo(1);
        page.client().gone = true;
        sender.round();
        world.tick();
        assertThat(world.dragger).isEqualTo(DragInput.NOBODY);
        assertThat(world.cameAndWent).containsExactly("SENDER_JOINED 1", "SENDER_LEFT 1");
    }

    /** A page learns of no refused pull or release. Both are offered again, the newest pull first. */
    @Test
    void shouldPullAndReleaseOnceTheInputHasRoom() {
        page.says("{\"type\":\"drag\",\"slot\":2,\"generation\":1}");
        shouldRefuseNothing();
        fillInput(InputKind.POINTER_MOVED); // leaves room that is not for moves
        page.says("{\"type\":\"dragTo\",\"x\":9,\"y\":9,\"z\":9}");
        page.says("{\"type\":\"dragTo\",\"x\":1,\"y\":2.5,\"z\":-3}");
        page.says("{\"type\":\"dragEnd\"}");
        shouldRefuseNothing();
        page.says("{\"type\":\"drag\",\"slot\":1,\"generation\":1}");
        assertThat(refusal("drag")).isEqualTo("the world's input is full; try again");
        world.ticks(2);
        sender.round();
        assertThat(world.dragger).isEqualTo(1);
        world.inputs.clear();
        world.ticks(2);
        assertThat(world.inputs)
                .containsExactly(
                        DragInput.REMAINDER + " 0.0 0.0",
                        DragInput.HEIGHT + " 2.5 0.0",
                        DragInput.TO + " 1.0 -3.0",
                        DragInput.END + " 0.0 0.0");
        assertThat(world.dragger).isEqualTo(DragInput.NOBODY);
    }

    @Test
    void shouldRefuseToSteerWhatItOnlyShows() {
        sender.close();
        sender = sender(null);
        page = start();
        assertThat(page.wire().take("hello").toString()).contains("\"controls\":false");
        page.says("{\"type\":\"pause\"}");
        assertThat(refusal("pause")).contains("this page only shows");
        world.tick();
        assertThat(newestTick()).as("untouched").isEqualTo(7);
    }

    /** The page's thread waits for no world: release events that the previous world has no room for are offered again later. */
    @Test
    void shouldReleaseInThePreviousWorldOnceItHasRoom() {
        page.says("{\"type\":\"drag\",\"slot\":2,\"generation\":1}");
        shouldRefuseNothing();
        fillInput(InputKind.APPLICATION);
        TestWorld next = new TestWorld();
        next.ticks(3);
        sender.show(next.driver.newReader(), next.driver);
        sender.round();
        world.ticks(20);
        sender.round();
        assertThat(world.dragger).isEqualTo(1);
        world.ticks(2);
        assertThat(world.dragger).isEqualTo(DragInput.NOBODY);
    }
}
