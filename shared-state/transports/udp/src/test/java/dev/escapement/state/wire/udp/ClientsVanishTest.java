package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputState;
import dev.escapement.state.snapshot.BodyId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A server releases what clients held when they are gone. {@link SeededSendersTest} lets them vanish in any way. */
class ClientsVanishTest {

    private static final int CODES = 8;

    private final EndpointFixture fixture = new EndpointFixture(1);
    private final TestNetwork network = fixture.network;
    private int dragger = DragInput.NOBODY;
    private final List<String> held = new ArrayList<>();
    private final List<Integer> marks = new ArrayList<>();

    private void tick() {
        long nowNanos = network.clock.nanoTime();
        InputFrame frame = fixture.sampler.sample(nowNanos, nowNanos);
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            dragger = DragInput.dragger(dragger, frame, i);
            if (event.kind() == InputKind.APPLICATION) {
                marks.add(event.code());
            }
        }
        look(frame.state());
    }

    private void look(InputState state) {
        held.clear();
        for (int code = 0; code < CODES; code++) {
            held.addAll(state.isKeyDown(code) ? List.of("key " + code) : List.of());
        }
        held.addAll(dragger != DragInput.NOBODY ? List.of("a body") : List.of());
    }

    private void runTicks(int ticks) {
        for (int i = 0; i < ticks; i++) {
            network.run(10);
            tick();
        }
    }

    private void press(ClientEndpoint client, int key) {
        client.inputs().offer(network.clock.nanoTime(), InputKind.KEY_DOWN, key, 0, 0);
    }

    /** What another one does meanwhile changes nothing; then it can take hold. */
    @Test
    void shouldLeaveABodyToTheClientThatDragsIt() {
        fixture.serve(EndpointFixture.PLAIN);
        ClientEndpoint first = fixture.connect(1, EndpointFixture.PLAIN);
        ClientEndpoint second = fixture.connect(2, EndpointFixture.PLAIN);
        runTicks(10);
        DragInput.hold(first.inputs(), network.clock.nanoTime(), BodyId.of(1, 1));
        runTicks(10);
        DragInput.hold(second.inputs(), network.clock.nanoTime(), BodyId.of(2, 1));
        runTicks(10);
        second.close(network.clock.nanoTime());
        runTicks(10);
        assertThat(held).containsExactly("a body");
        network.remove(TestNetwork.address(1));
        runTicks(600);
        assertThat(held).isEmpty();
    }

    /** Its events continue, each once, and what is pressed again is held again. */
    @Test
    void shouldResumeWhereItWasWhenItComesBack() {
        fixture.serve(EndpointFixture.KEY);
        ClientEndpoint client = fixture.connect(1, EndpointFixture.KEY);
        runTicks(10);
        fixture.offer(client, 1);
        press(client, 1);
        runTicks(10);
        network.lost = 1;
        fixture.offer(client, 2);
        runTicks(600);
        assertThat(held).isEmpty();
        fixture.offer(client, 3);
        press(client, 2);
        network.lost = 0;
        runTicks(100);
        assertThat(marks).containsExactly(1, 2, 3);
        assertThat(held).containsExactly("key 2");
    }
}
