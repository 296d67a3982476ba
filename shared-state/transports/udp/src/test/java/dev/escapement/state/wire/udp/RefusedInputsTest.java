package dev.escapement.state.wire.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.RefusedOffersContract;
import dev.escapement.state.input.RemoteSources;
import dev.escapement.state.input.TrackedSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests input of a client while its own ring, its outbox, and the server's ring are full. */
class RefusedInputsTest {

    private static final long MOUSE_NANOS = 125_000; // 8 kHz

    private final EndpointFixture fixture = new EndpointFixture(1);
    private final TestNetwork network = fixture.network;

    RefusedInputsTest() {
        fixture.newRing(RefusedOffersContract.CAPACITY);
        fixture.serve(EndpointFixture.KEY);
    }

    @Nested
    class OverUdp extends RefusedOffersContract {

        private final InputRing inputs = fixture.connect(1, EndpointFixture.KEY).inputs();
        private final TrackedSource source = new RemoteSources(inputs).local();

        OverUdp() {
            super(fixture.ring, fixture.network.clock);
            network.run(100);
        }

        @Override
        protected boolean press(int key) {
            return source.offer(clock.nanoTime(), InputKind.KEY_DOWN, key, 0, 0);
        }

        @Override
        protected void release(int key) {
            source.offer(clock.nanoTime(), InputKind.KEY_UP, key, 0, 0);
        }

        @Override
        protected boolean move(float x, float y) {
            return source.offer(clock.nanoTime(), InputKind.POINTER_MOVED, 0, x, y);
        }

        @Override
        protected void pass() {
            network.pass(MOUSE_NANOS);
        }

        @Override
        protected void idle() {
            network.run(20);
            source.catchUp();
        }

        /** A mouse moves at 8 kHz for 3 s; the server takes 1,000 events a second. The ring must accept all moves. */
        @Test
        void shouldAcceptAFastMouseWithoutHelp() {
            inputs.offer(clock.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0);
            for (int i = 1; i <= 24_000; i++) {
                assertThat(inputs.offer(clock.nanoTime(), InputKind.POINTER_MOVED, 0, i, 0))
                        .as("move %d", i)
                        .isTrue();
                pass();
                if (i % 80 == 0) {
                    tick();
                }
            }
            assertThat(held).containsExactly(1);
            assertThat(inputs.offer(clock.nanoTime(), InputKind.KEY_UP, 1, 0, 0))
                    .isTrue();
            for (int i = 0; i < 50; i++) {
                network.run(10);
                tick();
            }
            assertThat(held).isEmpty();
            assertThat(position).isEqualTo(position(24_000, 0));
        }
    }
}
