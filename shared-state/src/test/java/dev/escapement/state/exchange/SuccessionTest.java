package dev.escapement.state.exchange;

import static dev.escapement.state.exchange.ExchangeFixture.assertConsecutiveAndWhole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class SuccessionTest {

    private final ExchangeFixture old = new ExchangeFixture(3, 2);
    private final SnapshotReader reader = old.exchange.attach();
    private final ExchangeFixture successor = new ExchangeFixture(3, 2, 5);

    @Test
    void shouldKeepTheLastWindowUntilTheSuccessorHasOne() {
        old.publish(5);
        reader.acquire();
        Window last = reader.window();
        old.exchange.handOnTo(successor.exchange);
        for (int tick = 6; tick < 8; tick++) {
            successor.publish();
            assertThat(reader.acquire()).isFalse();
            assertThat(reader.window()).isSameAs(last);
            assertConsecutiveAndWhole(last);
        }
        successor.publish();
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().oldestTick()).isEqualTo(6);
        assertThat(reader.window().skippedTicks()).isEqualTo(2);
        for (int i = 0; i < 20; i++) {
            assertConsecutiveAndWhole(reader.window());
            successor.publish();
            assertThat(reader.acquire()).isTrue();
            assertThat(reader.window().skippedTicks()).isZero();
        }
        assertThat(reader.acquire()).isFalse();
    }

    @Test
    void shouldTakeWhatTheOldWriterPublishedLastBeforeItGoesOver() {
        old.publish(5);
        old.exchange.handOnTo(successor.exchange);
        successor.publish(3);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newestTick()).isEqualTo(5);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newestTick()).isEqualTo(8);
    }

    @Test
    void shouldGoOverWithoutEverHavingHadAWindow() {
        old.exchange.handOnTo(successor.exchange);
        assertThat(reader.acquire()).isFalse();
        successor.publish(3);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newestTick()).isEqualTo(8);
        assertThat(reader.window().skippedTicks()).isZero();
    }

    @Test
    void shouldPassOverASuccessorThatNeverHadAWindow() {
        old.publish(5);
        reader.acquire();
        old.exchange.handOnTo(successor.exchange);
        successor.publish(2);
        ExchangeFixture third = new ExchangeFixture(3, 2, 7);
        successor.exchange.handOnTo(third.exchange);
        third.publish(2);
        assertThat(reader.acquire()).isFalse();
        assertThat(reader.window().newestTick()).isEqualTo(5);
        third.publish();
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newestTick()).isEqualTo(10);
    }

    @Test
    void shouldKeepASlotForEveryReaderAndNoOther() {
        old.exchange.handOnTo(successor.exchange);
        SnapshotReader newcomer = successor.exchange.attach();
        assertThatIllegalStateException()
                .isThrownBy(successor.exchange::attach)
                .withMessageContaining("all 2 readers of this exchange are attached");
        assertThatIllegalStateException()
                .isThrownBy(old.exchange::attach)
                .withMessage("this exchange was handed on; attach to its successor");
        successor.publish(3);
        reader.acquire();
        newcomer.acquire();
        successor.publish(); // two readers in two slots: each still has its own word
        assertThat(reader.acquire()).isTrue();
        assertThat(newcomer.acquire()).isTrue();
    }

    @Test
    void shouldGiveBackTheSlotThatWasKept() {
        ExchangeFixture third = new ExchangeFixture(3, 2, 5);
        old.exchange.handOnTo(successor.exchange);
        successor.exchange.handOnTo(third.exchange);
        reader.close(); // it has seen neither
        third.publish(3);
        for (int i = 0; i < 2; i++) {
            SnapshotReader next = third.exchange.attach();
            assertThat(next.acquire()).isTrue();
            assertThat(next.window().newestTick()).isEqualTo(8);
        }
    }

    @Test
    void shouldGiveBackTheSlotItWentOverTo() {
        old.exchange.handOnTo(successor.exchange);
        successor.publish(3);
        reader.acquire();
        reader.close();
        successor.exchange.attach();
        SnapshotReader next = successor.exchange.attach();
        assertThat(next.acquire()).isTrue();
    }

    @Test
    void shouldRefuseASuccessorOfAnotherSizeOrASecondOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> old.exchange.handOnTo(new ExchangeFixture(3, 1).exchange))
                .withMessage("an exchange for 2 readers cannot be handed on to one for 1");
        old.exchange.handOnTo(successor.exchange);
        assertThatIllegalStateException()
                .isThrownBy(() -> old.exchange.handOnTo(new ExchangeFixture(3, 2).exchange))
                .withMessage("this exchange was handed on before");
    }
}
