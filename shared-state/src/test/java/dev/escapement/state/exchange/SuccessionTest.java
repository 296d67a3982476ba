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
            assertThat(reader.window().newestTick()).isEqualTo(5);
            assertConsecutiveAndWhole(last);
        }
        successor.publish();
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window()).as("one for life").isSameAs(last);
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
    void shouldTakeWhatTheOldWriterPublishedLastWhileTheSuccessorHasNothing() {
        old.publish(5);
        old.exchange.handOnTo(successor.exchange);
        successor.publish(2);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newestTick()).isEqualTo(5);
        successor.publish();
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newestTick()).isEqualTo(8);
    }

    /** Nobody may be shown what was published before something else that was published before he asked. */
    @Test
    void shouldTakeTheNewestAtOnceHoweverMuchWasLeftUnread() {
        old.publish(4);
        reader.acquire();
        old.publish();
        old.exchange.handOnTo(successor.exchange);
        successor.publish(4);
        ExchangeFixture third = new ExchangeFixture(3, 2, 9);
        successor.exchange.handOnTo(third.exchange);
        third.publish(3);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().newestTick()).isEqualTo(12);
        assertThat(reader.window().skippedTicks()).isEqualTo(7);
        assertConsecutiveAndWhole(reader.window());
        assertThat(reader.acquire()).isFalse();
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
                .withMessageContaining("all 2 readers are attached");
        assertThatIllegalStateException()
                .isThrownBy(old.exchange::attach)
                .withMessageContaining("all 2 readers are attached");
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

    /** What another reader has passed is gone: its windows are the writer's. */
    @Test
    void shouldBeginInTheCurrentExchangeThroughWhicheverOneItAttaches() {
        old.publish(3);
        reader.acquire();
        old.publish();
        old.exchange.handOnTo(successor.exchange);
        successor.publish(3);
        reader.acquire();
        reader.close();
        SnapshotReader next = old.exchange.attach();
        assertThat(next.acquire()).isTrue();
        assertThat(next.window().newestTick()).isEqualTo(8);
        assertConsecutiveAndWhole(next.window());
    }

    @Test
    void shouldRefuseASuccessorOfAnotherSizeOrASecondOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> old.exchange.handOnTo(new ExchangeFixture(3, 1).exchange))
                .withMessage("an exchange for 2 readers cannot be handed on to one for 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> old.exchange.handOnTo(new ExchangeFixture(2, 2).exchange))
                .withMessage("an exchange of windows of 3 snapshots cannot be handed on to one of windows of 2");
        old.exchange.handOnTo(successor.exchange);
        assertThatIllegalStateException()
                .isThrownBy(() -> old.exchange.handOnTo(new ExchangeFixture(3, 2).exchange))
                .withMessage("this exchange was handed on before");
    }

    @Test
    void shouldKeepAWindowOfTheSuccessorAsItIs() {
        old.publish(5);
        reader.acquire();
        old.exchange.handOnTo(successor.exchange);
        successor.publish(3);
        for (int i = 0; i < 10; i++) {
            assertThat(reader.acquire()).isTrue();
            Window held = reader.window();
            long newest = held.newestTick();
            for (int n = 0; n < 4; n++) {
                successor.publish();
                assertThat(held.newestTick()).isEqualTo(newest);
                assertConsecutiveAndWhole(held);
            }
        }
    }

    @Test
    void shouldLeaveTheWindowOfTheSuccessorToTheNextReader() {
        old.exchange.handOnTo(successor.exchange);
        successor.publish(3);
        assertThat(reader.acquire()).isTrue();
        reader.close();
        SnapshotReader next = successor.exchange.attach(); // the first free slot, which was the old reader's
        assertThat(next.acquire()).as("what the one before it held").isTrue();
        for (int i = 0; i < 10; i++) {
            Window held = next.window();
            long newest = held.newestTick();
            for (int n = 0; n < 4; n++) {
                successor.publish();
                assertThat(held.newestTick()).isEqualTo(newest);
                assertConsecutiveAndWhole(held);
            }
            assertThat(next.acquire()).isTrue();
        }
    }

    @Test
    void shouldRefuseASuccessorThatIsNotNew() {
        ExchangeFixture attached = new ExchangeFixture(3, 2);
        attached.exchange.attach();
        ExchangeFixture published = new ExchangeFixture(3, 2);
        published.publish();
        ExchangeFixture taken = new ExchangeFixture(3, 2);
        ExchangeFixture before = new ExchangeFixture(3, 2);
        before.exchange.attach();
        before.exchange.handOnTo(taken.exchange);
        for (ExchangeFixture used : new ExchangeFixture[] {attached, published, taken, old}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> old.exchange.handOnTo(used.exchange))
                    .withMessageContaining("can only be handed on to a new one");
        }
        old.exchange.handOnTo(successor.exchange); // has not been touched
    }
}
