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
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients held is released when they are gone, for any reason, and in any state of theirs and of the ring. */
class ClientsVanishTest {

    private static final int CODES = 8;
    private static final InputKind[] LEVELS = {
        InputKind.KEY_DOWN,
        InputKind.KEY_UP,
        InputKind.POINTER_DOWN,
        InputKind.POINTER_UP,
        InputKind.BUTTON_DOWN,
        InputKind.BUTTON_UP,
        InputKind.AXIS_MOVED
    };

    private EndpointFixture fixture = new EndpointFixture(1);
    private TestNetwork network = fixture.network;
    private int dragger = DragInput.NOBODY;
    private final List<String> held = new ArrayList<>();
    private final List<Integer> marks = new ArrayList<>();

    private void begin(long seed) {
        fixture = new EndpointFixture(seed);
        network = fixture.network;
    }

    /** A tick. */
    private void tick() {
        long nowNanos = network.clock.nanoTime();
        InputFrame frame = fixture.sampler.sample(nowNanos, nowNanos);
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            dragger = DragInput.dragger(dragger, frame, i);
            if (event.kind() == InputKind.APPLICATION && event.code() < 1_000_000) {
                marks.add(event.code());
            }
        }
        look(frame.state());
    }

    private void look(InputState state) {
        held.clear();
        for (int code = 0; code < CODES; code++) {
            held.addAll(state.isKeyDown(code) ? List.of("key " + code) : List.of());
            held.addAll(state.isPointerDown(code) ? List.of("pointer " + code) : List.of());
            held.addAll(state.isButtonDown(code) ? List.of("button " + code) : List.of());
            held.addAll(state.axis(code) != 0 ? List.of("axis " + code) : List.of());
        }
        held.addAll(dragger != DragInput.NOBODY ? List.of("a body") : List.of());
    }

    private void runTicks(int ticks) {
        for (int i = 0; i < ticks; i++) {
            network.run(10);
            tick();
        }
    }

    private boolean offer(ClientEndpoint client, InputKind kind, int code, float x) {
        return client.inputs().offer(network.clock.nanoTime(), kind, code, x, 0);
    }

    private void act(ClientEndpoint client, SplittableRandom random) {
        if (random.nextInt(4) == 0) {
            DragInput.hold(client.inputs(), network.clock.nanoTime(), BodyId.of(random.nextInt(9), 1));
        } else if (random.nextInt(8) == 0) {
            DragInput.end(client.inputs(), network.clock.nanoTime());
        } else {
            InputKind kind = LEVELS[random.nextInt(LEVELS.length)];
            offer(client, kind, random.nextInt(CODES), random.nextInt(-2, 3) / 2f);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24})
    void shouldHoldNothingWhenAllClientsAreGone(long seed) {
        begin(seed);
        SplittableRandom random = new SplittableRandom(seed);
        fixture.newRing(random.nextBoolean() ? 16 : 1024);
        Access access = seed % 2 == 0 ? EndpointFixture.KEY : EndpointFixture.PLAIN;
        ServerEndpoint server = fixture.serve(access, new Limits(3, 1000));
        network.lost = random.nextBoolean() ? 0.3 : 0;
        network.maxNanos = 60 * TestNetwork.MILLI;
        List<ClientEndpoint> clients = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        int port = 1;
        int max = 0;
        for (int round = 0; round < 60; round++) {
            if (clients.size() < 5 && random.nextInt(3) > 0) { // two of five are refused
                clients.add(fixture.connect(port, access));
                ports.add(port++);
            }
            for (ClientEndpoint client : clients) {
                for (int i = random.nextInt(12); i > 0; i--) {
                    act(client, random);
                }
            }
            boolean isPaused = random.nextInt(4) == 0;
            for (int i = random.nextInt(40); i > 0; i--) { // the ring fills when no tick comes
                network.run(random.nextInt(30));
                if (isPaused) {
                    fixture.sampler.drainWhilePaused(network.clock.nanoTime(), null);
                } else if (random.nextInt(3) > 0) {
                    tick();
                    max = Math.max(max, held.size());
                }
            }
            if (!clients.isEmpty() && random.nextInt(2) == 0) {
                int index = random.nextInt(clients.size());
                vanish(clients.get(index), ports.get(index), random.nextInt(4), access, port++);
                clients.remove(index);
                ports.remove(index);
            }
        }
        assertThat(max).isGreaterThan(3);
        if (random.nextInt(3) == 0) {
            runTicks(30); // the ring has room
            server.close(network.clock.nanoTime());
            network.remove(EndpointFixture.SERVER);
            runTicks(2);
        } else {
            ports.forEach(at -> network.remove(TestNetwork.address(at)));
            vanished.forEach(at -> network.remove(TestNetwork.address(at)));
            runTicks(700);
        }
        assertThat(held).isEmpty();
    }

    /** The addresses of programs that replaced others. */
    private final List<Integer> vanished = new ArrayList<>();

    private void vanish(ClientEndpoint client, int port, int how, Access access, int newPort) {
        switch (how) {
            case 0 -> network.remove(TestNetwork.address(port));
            case 1 -> {
                client.close(network.clock.nanoTime());
                network.remove(TestNetwork.address(port));
            }
            case 2 -> { // another program takes its address
                network.remove(TestNetwork.address(port));
                fixture.connect(port, access);
                vanished.add(port);
            }
            default -> { // the same program by another way, where it dies later
                network.move(TestNetwork.address(port), TestNetwork.address(newPort));
                vanished.add(newPort);
            }
        }
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
        offer(client, InputKind.KEY_DOWN, 1, 0);
        runTicks(10);
        network.lost = 1;
        fixture.offer(client, 2);
        runTicks(600);
        assertThat(held).isEmpty();
        fixture.offer(client, 3);
        offer(client, InputKind.KEY_DOWN, 2, 0);
        network.lost = 0;
        runTicks(100);
        assertThat(marks).containsExactly(1, 2, 3);
        assertThat(held).containsExactly("key 2");
    }
}
