package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SendersTest {

    private static final int KEY = 68;

    private final ManualClock clock = new ManualClock(100);
    private final InputRing ring = new InputRing(8, clock);
    private final InputSampler sampler = new InputSampler(ring);
    private final RemoteSources sources = new RemoteSources(ring);

    private InputFrame sample() {
        long fromNanos = clock.nanoTime();
        clock.advance(10);
        return sampler.sample(fromNanos, fromNanos + 10);
    }

    private static List<String> texts(InputFrame frame) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            texts.add(frame.event(i).kind() + " of " + frame.event(i).sender());
        }
        return texts;
    }

    @Test
    void shouldKeepTheKeyOfOneThatAnotherReleases() {
        TrackedSource one = sources.join();
        TrackedSource two = new RemoteSources(ring).join();
        one.offer(101, InputKind.KEY_DOWN, KEY, 0, 0);
        two.offer(102, InputKind.KEY_DOWN, KEY, 0, 0);
        two.offer(103, InputKind.KEY_UP, KEY, 0, 0);
        InputFrame frame = sample();
        assertThat(texts(frame))
                .containsExactly(
                        "SENDER_JOINED of 1", "SENDER_JOINED of 2", "KEY_DOWN of 1", "KEY_DOWN of 2", "KEY_UP of 2");
        assertThat(frame.state().isKeyDown(KEY)).as("all together").isFalse();
        assertThat(frame.state(1).isKeyDown(KEY)).isTrue();
        assertThat(frame.state(2).isKeyDown(KEY)).isFalse();
        assertThat(frame.state(0).isKeyDown(KEY)).isFalse();
        assertThat(frame.senderCount()).isEqualTo(2);
        assertThat(frame.sender(1)).isEqualTo(2);
    }

    @Test
    void shouldReleaseBeforeASenderHasLeft() {
        TrackedSource one = sources.join();
        one.offer(101, InputKind.KEY_DOWN, KEY, 0, 0);
        sample();
        sources.leave(one);
        InputFrame frame = sample();
        assertThat(texts(frame)).containsExactly("KEY_UP of 1", "SENDER_LEFT of 1");
        assertThat(frame.state(1).isKeyDown(KEY)).isFalse();
        assertThat(frame.senderCount()).isZero();
        InputFrame next = sample();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> next.state(1))
                .withMessageContaining("sender 1 has left in an earlier tick");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> next.state(2))
                .withMessageContaining("sender 2 has never joined; the highest number that has is 1");
        assertThat(sources.join().sender()).as("never reused").isEqualTo(2);
    }

    @Test
    void shouldKeepAHeldKeyWhileOtherSendersChange() {
        TrackedSource one = sources.join();
        TrackedSource two = sources.join();
        two.offer(101, InputKind.KEY_DOWN, KEY, 0, 0);
        sample();
        sources.leave(one);
        sample();
        TrackedSource three = sources.join();
        three.offer(clock.nanoTime(), InputKind.KEY_DOWN, KEY + 1, 0, 0);
        InputFrame frame = sample();
        assertThat(frame.state(2).isKeyDown(KEY)).isTrue();
        assertThat(frame.state(2).isKeyDown(KEY + 1)).as("the key of 3").isFalse();
        assertThat(frame.state(3).isKeyDown(KEY + 1)).isTrue();
    }

    /** The full ring refused the join event, which is stamped 100. The sender's first event is stamped earlier. */
    @Test
    void shouldJoinBeforeItsFirstEventAfterAFullRing() {
        for (int i = 0; i < 8; i++) {
            ring.offer(100, InputKind.APPLICATION, 1, 0, 0);
        }
        TrackedSource one = sources.join();
        assertThat(one.offer(101, InputKind.KEY_DOWN, KEY, 0, 0)).isFalse();
        sample();
        assertThat(one.offer(50, InputKind.KEY_DOWN, KEY, 0, 0)).isTrue();
        assertThat(texts(sample())).containsExactly("SENDER_JOINED of 1", "KEY_DOWN of 1");
    }

    /** A client that has joined but offers nothing has its body in the game, too. */
    @Test
    void shouldOfferAJoinAgainThatAFullRingRefused() {
        for (int i = 0; i < 6; i++) {
            ring.offer(100, InputKind.APPLICATION, 1, 0, 0);
        }
        TrackedSource[] burst = {sources.join(), sources.join(), sources.join(), sources.join(), sources.join()};
        sources.leave(burst[3]);
        sample();
        assertThat(sources.release()).isTrue();
        sources.release();
        assertThat(texts(sample()))
                .as("not 4, which has left")
                .containsExactly("SENDER_JOINED of 3", "SENDER_JOINED of 5");
        assertThat(sources.join().sender()).isEqualTo(6);
    }

    @Test
    void shouldReportJoinsAndLeavesOfAPause() {
        TrackedSource one = sources.join();
        sample();
        sources.leave(one);
        TrackedSource two = sources.join();
        two.offer(clock.nanoTime(), InputKind.KEY_DOWN, KEY, 0, 0);
        sources.leave(sources.join());
        sampler.drainWhilePaused(clock.nanoTime(), true, null);
        InputFrame frame = sample();
        assertThat(texts(frame)).as("not who came and went").containsExactly("SENDER_LEFT of 1", "SENDER_JOINED of 2");
        assertThat(frame.state(2).isKeyDown(KEY)).isTrue();
        assertThat(frame.event(0).sequence()).isEqualTo(-1);
        assertThat(sample().size()).as("once").isZero();
    }

    /** Nobody could tell a later sender with the same number from the one that has left. */
    @Test
    void shouldDeliverApplicationEventsOfAPauseWithTheirSenders() {
        TrackedSource five = sources.join(5);
        sample();
        five.offer(clock.nanoTime(), InputKind.APPLICATION, 1, 0, 0);
        sources.leave(five);
        TrackedSource six = sources.join(6);
        six.offer(clock.nanoTime(), InputKind.APPLICATION, 2, 0, 0);
        sampler.drainWhilePaused(clock.nanoTime(), true, null);
        assertThat(sampler.pending()).isEqualTo(2);
        sources.join(5);
        InputFrame frame = sample();
        assertThat(texts(frame))
                .containsExactly("SENDER_LEFT of 5", "SENDER_JOINED of 6", "APPLICATION of 6", "SENDER_JOINED of 5");
        assertThat(sampler.pending()).isZero();
    }

    /** A pause may last for hours. What waits for its end leaves room for keys. */
    @Test
    void shouldKeepRoomForKeysInALongPause() {
        for (int i = 0; i < 3; i++) {
            assertThat(ring.offer(clock.nanoTime(), InputKind.APPLICATION, i, 0, 0))
                    .as("event %d", i)
                    .isEqualTo(i < 2);
            sampler.drainWhilePaused(clock.nanoTime(), true, null);
        }
        for (int i = 0; i < 30; i++) {
            assertThat(ring.offer(clock.nanoTime(), InputKind.KEY_DOWN, KEY, 0, 0))
                    .isTrue();
            sampler.drainWhilePaused(clock.nanoTime(), true, null);
        }
        assertThat(DragInput.end(ring, clock.nanoTime())).isTrue();
        InputFrame frame = sample();
        assertThat(texts(frame)).containsExactly("APPLICATION of 0", "APPLICATION of 0", "APPLICATION of 0");
        assertThat(frame.state().isKeyDown(KEY)).isTrue();
        assertThat(ring.offer(clock.nanoTime(), InputKind.APPLICATION, 4, 0, 0)).isTrue();
    }

    @Test
    void shouldReportSendersThatJoinedAfterASoughtTick() {
        RecordedInput past = new RecordedInput();
        past.begin(10);
        past.add(7, 0, 0, InputKind.SENDER_JOINED, 0, 0, 0, 0, false);
        sources.join();
        sample();
        sampler.reportSendersSince(past.frame());
        assertThat(texts(sample())).containsExactly("SENDER_LEFT of 7", "SENDER_JOINED of 1");
    }

    @Test
    void shouldRefuseNumbersThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sources.join(0))
                .withMessageContaining("must be 1 or more, but is 0");
        TrackedSource nine = sources.join(9);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sources.join(9))
                .withMessageContaining("sender 9 has joined");
        assertThat(sources.join().sender()).isEqualTo(10);
        sources.leave(nine);
        sample();
        assertThat(sources.join(9).sender()).as("a tick has taken its leave").isEqualTo(9);
    }

    @Test
    void shouldRefuseTheOneSenderTooMany() {
        List<TrackedSource> joined = new ArrayList<>();
        for (int i = 0; i < InputFrame.MAX_SENDERS; i++) {
            joined.add(sources.join());
            sample();
        }
        assertThatIllegalStateException()
                .isThrownBy(sources::join)
                .withMessageContaining("1024 senders have joined, which is the maximum");
        sources.leave(joined.get(5));
        assertThatIllegalStateException()
                .as("no tick has taken it")
                .isThrownBy(sources::join)
                .withMessageContaining("1024 senders have joined");
        assertThat(sample().senderCount()).isEqualTo(1023);
        assertThat(sources.join().sender()).isEqualTo(1025);
        assertThat(sample().sender(1023)).isEqualTo(1025);
    }

    @Test
    void shouldRefuseAJoinThatIsOffered() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ring.offer(0, InputKind.SENDER_JOINED, 0, 0, 0))
                .withMessageContaining("SENDER_JOINED cannot be offered, because it comes from RemoteSources.join()");
    }

    /** The sender leaves in a pause, so no tick receives its leave. The next tick must receive an end of its drag. */
    @Test
    void shouldEndTheDragOfAReturnInAPause() {
        TrackedSource five = sources.join(5);
        DragInput.hold(five, clock.nanoTime(), BodyId.of(1, 1));
        sample();
        sources.leave(five);
        sampler.drainWhilePaused(clock.nanoTime(), true, null);
        sources.join(5);
        sampler.drainWhilePaused(clock.nanoTime(), true, null);
        InputFrame frame = sample();
        assertThat(texts(frame)).containsExactly("APPLICATION of 5");
        assertThat(DragInput.dragger(5, frame, 0)).isEqualTo(DragInput.NOBODY);
    }

    @Test
    void shouldEndEachDragReleasedInAPause() {
        TrackedSource one = sources.join();
        TrackedSource two = sources.join();
        sample();
        DragInput.end(two, clock.nanoTime());
        DragInput.end(one, clock.nanoTime());
        DragInput.end(ring, clock.nanoTime());
        sampler.drainWhilePaused(clock.nanoTime(), true, null);
        InputFrame frame = sample();
        assertThat(texts(frame)).containsExactly("APPLICATION of 0", "APPLICATION of 1", "APPLICATION of 2");
        assertThat(DragInput.dragger(2, frame, 0)).as("each its own").isEqualTo(2);
        assertThat(texts(sample())).as("once").isEmpty();
    }

    /** Only this process may end the drags of all senders. A remote client offers the same event, which must end only its own drag. */
    @Test
    void shouldEndTheDragsOfOthersByThisProcessAlone() {
        TrackedSource one = sources.join();
        one.offer(clock.nanoTime(), InputKind.APPLICATION, DragInput.END, 1, 0);
        InputFrame frame = sample();
        assertThat(DragInput.dragger(2, frame, 1)).isEqualTo(2);
        sampler.owedEvents().endAnyDrag();
        assertThat(DragInput.dragger(2, sample(), 0)).isEqualTo(DragInput.NOBODY);
    }

    /** The ring accepted no event of this sender, so no tick frees its number. */
    @Test
    void shouldFreeOnceTheNumberOfOneThatNeverJoined() {
        for (int i = 0; i < 8; i++) {
            ring.offer(100, InputKind.APPLICATION, 1, 0, 0);
        }
        TrackedSource one = sources.join(5);
        one.leave();
        assertThat(one.release()).isTrue();
        sources.join(5);
        assertThat(one.release()).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sources.join(5))
                .withMessageContaining("sender 5 has joined");
    }

    /** The remote senders stay in the original run. They never leave the fork, so it must not begin with their levels. */
    @Test
    void shouldBeginAForkWithLocalLevelsOnly() {
        sources.join().offer(101, InputKind.KEY_DOWN, KEY, 0, 0);
        ring.offer(101, InputKind.KEY_DOWN, KEY + 1, 0, 0);
        InputRing ofFork = new InputRing(8, clock);
        InputSampler fork = new InputSampler(ofFork);
        fork.beginWith(sample());
        InputFrame first = fork.sample(clock.nanoTime(), clock.nanoTime() + 10);
        assertThat(texts(first)).containsExactly("SENDER_LEFT of 1");
        assertThat(first.state(1).isKeyDown(KEY))
                .as("of one that leaves in this tick")
                .isFalse();
        assertThat(first.senderCount()).isZero();
        assertThat(first.state().isKeyDown(KEY)).isFalse();
        assertThat(first.state().isKeyDown(KEY + 1)).isTrue();
        assertThat(new RemoteSources(ofFork).join().sender()).isEqualTo(2);
        assertThat(texts(fork.sample(clock.nanoTime() + 10, clock.nanoTime() + 20)))
                .containsExactly("SENDER_JOINED of 2");
    }

    @Test
    void shouldCountWhatASeekTakesFromATickThatAPauseStops() {
        InputFrame past = sample();
        ring.offer(clock.nanoTime(), InputKind.KEY_DOWN, KEY, 0, 0);
        sampler.samplePart(clock.nanoTime());
        assertThat(sampler.pending()).isOne();
        sampler.reportSendersSince(past);
        assertThat(sampler.pending()).isZero();
        assertThat(ring.droppedWhilePaused()).isOne();
    }

    private final ManualClock zeroClock = new ManualClock(0);
    private final InputRing tight = new InputRing(4, zeroClock);
    private final InputSampler tightSampler = new InputSampler(tight);
    private final RemoteSources leaving = new RemoteSources(tight);
    private final InputRing roomy = new InputRing(16, zeroClock);
    private final InputSampler roomySampler = new InputSampler(roomy);

    @Test
    void shouldReleaseWhatAFullRingHadNoRoomFor() {
        TrackedSource source = leaving.join();
        assertThat(source.offer(0, InputKind.KEY_DOWN, 1, 0, 0)).isTrue();
        assertThat(DragInput.hold(source, 0, BodyId.of(1, 1))).isTrue();
        assertThat(tight.offer(0, InputKind.KEY_DOWN, 3, 0, 0))
                .as("now it is full")
                .isTrue();
        leaving.leave(source);
        assertThat(leaving.release()).isFalse();
        assertThat(source.offer(0, InputKind.KEY_DOWN, 2, 0, 0))
                .as("one that is gone")
                .isFalse();
        assertThat(reported()).hasSize(4);
        assertThat(leaving.release()).isTrue();
        assertThat(reported()).containsExactly("KEY_UP 1 of 1", "SENDER_LEFT 0 of 1");
        assertThat(leaving.release()).isTrue();
        assertThat(reported()).isEmpty();
    }

    /** The local sender never leaves, so its leave cannot end the drag. */
    @Test
    void shouldEndTheDragOfAViewOfThisProcess() {
        TrackedSource window = leaving.local();
        DragInput.hold(window, 0, BodyId.of(1, 1));
        DragInput.to(window, 0, 1, 2, 3);
        tight.offer(0, InputKind.KEY_DOWN, 3, 0, 0); // takes the room that moves leave free for other events
        leaving.leave(window);
        assertThat(leaving.release()).as("the tight is full").isFalse();
        assertThat(reported()).hasSize(4);
        assertThat(leaving.release()).isTrue();
        assertThat(reported()).containsExactly("APPLICATION " + DragInput.END + " of 0");
        TrackedSource another = leaving.local();
        DragInput.hold(another, 0, BodyId.of(1, 1));
        DragInput.end(another, 0);
        leaving.leave(another);
        assertThat(reported()).as("it has let go itself").hasSize(2);
    }

    /** The physics thread makes room while {@code close} waits. */
    @Test
    void shouldWaitForRoomWhenItIsClosed() throws Exception {
        TrackedSource source = leaving.join();
        source.offer(0, InputKind.KEY_DOWN, 1, 0, 0);
        source.offer(0, InputKind.KEY_DOWN, 2, 0, 0);
        source.offer(0, InputKind.KEY_DOWN, 3, 0, 0);
        leaving.leave(source);
        Thread physics = new Thread(this::reported);
        physics.start();
        leaving.close();
        physics.join();
        assertThat(leaving.release()).isTrue();
        assertThat(tightSampler.sample(0, 0).state().isKeyDown(1)).isFalse();
    }

    /**
     * A disabled ring refuses events only for a while, so the releases of keys must wait for it. A closed ring refuses for ever and needs
     * none.
     */
    @Test
    void shouldReleaseOnceADisabledRingIsEnabled() {
        TrackedSource source = leaving.join();
        source.offer(0, InputKind.KEY_DOWN, 1, 0, 0);
        reported();
        tight.disable();
        leaving.leave(source);
        assertThat(leaving.release()).as("disabled").isFalse();
        tight.enable();
        assertThat(leaving.release()).isTrue();
        assertThat(reported()).containsExactly("KEY_UP 1 of 1", "SENDER_LEFT 0 of 1");
    }

    /** The next tick receives the last end once, however often a drag begins and ends in the pause. */
    @Test
    void shouldDeliverTheEndOfADragAfterAPause() {
        for (int i = 0; i < 5; i++) {
            DragInput.end(tight, zeroClock.nanoTime());
            DragInput.hold(tight, zeroClock.nanoTime(), BodyId.of(1, 1));
            tightSampler.drainWhilePaused(zeroClock.nanoTime(), true, null);
            zeroClock.advance(1);
        }
        assertThat(tight.droppedWhilePaused()).as("that end was not offered").isEqualTo(10);
        assertThat(reported()).containsExactly("APPLICATION " + DragInput.END + " of 0");
        assertThat(reported()).isEmpty();
    }

    @Test
    void shouldReleaseAllThatWasHeldAndNothingElse() {
        TrackedSource left = new TrackedSource(roomy, 0, null);
        offer(left, InputKind.KEY_DOWN, 1, 0);
        offer(left, InputKind.POINTER_DOWN, 2, 0);
        offer(left, InputKind.BUTTON_DOWN, 3, 0);
        offer(left, InputKind.AXIS_MOVED, 4, -1);
        offer(left, InputKind.KEY_DOWN, 5, 0);
        offer(left, InputKind.KEY_UP, 5, 0);
        offer(left, InputKind.AXIS_MOVED, 6, 1);
        offer(left, InputKind.AXIS_MOVED, 6, 0);
        offer(left, InputKind.POINTER_MOVED, 7, 1);
        offer(left, InputKind.APPLICATION, 8, 1);
        offer(left, InputKind.WHEEL, 8, 1);
        offer(roomy, InputKind.KEY_DOWN, 9, 0);
        roomySampler.sample(0, 0);
        left.leave();
        assertThat(left.release()).isTrue();
        InputFrame frame = roomySampler.sample(0, 0);
        assertThat(reported(frame))
                .containsExactly("KEY_UP 1 of 0", "POINTER_UP 2 of 0", "BUTTON_UP 3 of 0", "AXIS_MOVED 4 of 0");
        assertThat(frame.state().axis(4)).isZero();
        assertThat(frame.state().isKeyDown(9)).as("an event of no producer").isTrue();
        assertThat(left.release()).isTrue();
        assertThat(reported(roomySampler.sample(0, 0))).isEmpty();
    }

    /** The release carries the time of the leave, not the time at which the ring had room or a tick sampled. */
    @Test
    void shouldStampReleasesWithTheLoss() {
        TrackedSource left = new TrackedSource(roomy, 0, null);
        offer(left, InputKind.KEY_DOWN, 1, 0);
        zeroClock.advance(10);
        left.leave();
        zeroClock.advance(10);
        left.release();
        assertThat(roomySampler.sample(0, 20).event(1).timeNanos()).isEqualTo(10);
    }

    /** The ring refused key 1 of the leaving sender, but accepted it from another producer, which still holds it. */
    @Test
    void shouldNotReleaseWhatTheRingHasRefused() {
        TrackedSource left = new TrackedSource(roomy, 0, null);
        offer(roomy, InputKind.KEY_DOWN, 1, 0);
        offer(left, InputKind.KEY_DOWN, 2, 0);
        while (offer(roomy, InputKind.APPLICATION, 0, 0)) {
            // fills the ring
        }
        offer(left, InputKind.KEY_DOWN, 1, 0);
        offer(left, InputKind.AXIS_MOVED, 3, 1);
        roomySampler.sample(0, 0);
        left.leave();
        assertThat(left.release()).isTrue();
        InputFrame frame = roomySampler.sample(0, 0);
        assertThat(reported(frame)).containsExactly("KEY_UP 2 of 0");
        assertThat(frame.state().isKeyDown(1)).isTrue();
    }

    private static boolean offer(InputSink way, InputKind kind, int code, float x) {
        return way.offer(0, kind, code, x, 0);
    }

    private List<String> reported() {
        return reported(tightSampler.sample(zeroClock.nanoTime(), zeroClock.nanoTime()));
    }

    private static List<String> reported(InputFrame frame) {
        List<String> reported = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            reported.add(event.kind() + " " + event.code() + " of " + event.sender());
        }
        return reported;
    }
}
