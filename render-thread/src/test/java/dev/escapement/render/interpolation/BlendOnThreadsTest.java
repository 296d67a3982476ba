package dev.escapement.render.interpolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.render.FrameView;
import dev.escapement.render.PublishedWorld;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlendOnThreadsTest {

    private static final double TICK_SECONDS = CapturedWorld.RATE.dtSeconds();
    private static final float[] ALPHAS = {0, 0.13f, 0.5f, 0.91f, 1, 1.37f};
    private static final Interpolation LINES =
            new Interpolation(Interpolation.Positions.LINEAR, Interpolation.Rotations.SLERP, 1);
    private static final int THREADS = 2;

    private interface Blocks {
        void work(int fromBlock, int toBlock);
    }

    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    private final SplittableRandom random = new SplittableRandom(17);
    private final EventfulWorld world = new EventfulWorld();
    private Snapshot from = world.tick();
    private Snapshot to = from;

    @AfterEach
    void stopThreads() {
        executor.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, EventfulWorld.BLOCKS})
    void shouldComputeTheBitsOfOneThreadHoweverTheBlocksAreDivided(int ranges) throws Exception {
        for (Interpolation.Positions positions : Interpolation.Positions.values()) {
            for (Interpolation.Rotations rotations : Interpolation.Rotations.values()) {
                Interpolation how = new Interpolation(positions, rotations, 1);
                compareWithOneThread(new EventfulWorld(), new Interpolator(how), new Interpolator(how), ranges);
            }
        }
    }

    private void compareWithOneThread(EventfulWorld bodies, Interpolator one, Interpolator several, int ranges)
            throws Exception {
        Snapshot from = bodies.tick();
        for (int tick = 2; tick <= EventfulWorld.TICKS; tick++) {
            Snapshot to = bodies.tick();
            for (float alpha : ALPHAS) {
                several.show(from, to, alpha, TICK_SECONDS);
                onThreads(divide(several.shown().poses().blockCount(), ranges), several::blend);
                one.show(from, to, alpha, TICK_SECONDS);
                PoseBlocks expected = one.poses();
                for (int b = 0; b < expected.blockCount(); b++) {
                    assertThat(several.blocks.isDone(b))
                            .as("no range is forgotten")
                            .isTrue();
                    assertSameBits(several.block(b), expected.block(b), expected.slotsIn(b));
                }
            }
            from = to;
        }
    }

    @ParameterizedTest
    @EnumSource(InstanceFormat.class)
    void shouldWriteTheInstancesOfOneThreadHoweverTheBlocksAreDivided(InstanceFormat format) throws Exception {
        Interpolator moment = new Interpolator(LINES);
        InstanceBuffer one = new InstanceBuffer(format);
        InstanceBuffer several = new InstanceBuffer(format);
        for (int tick = 2; tick <= EventfulWorld.TICKS; tick++) {
            to = world.tick();
            for (float alpha : ALPHAS) {
                moment.show(from, to, alpha, TICK_SECONDS);
                FloatBuffer expected = one.write(moment, 100.1, 3, -2);
                several.begin(moment, 100.1, 3, -2);
                int blocks = moment.shown().poses().blockCount();
                onThreads(divide(blocks, 1 + random.nextInt(blocks)), several::writeBlocks);
                FloatBuffer written = several.end();
                assertThat(written).isEqualTo(expected); // all floats up to the limit; none is NaN
                for (int i = 0; i < moment.bodies().count(); i++) {
                    if (several.slot(i) != one.slot(i)) {
                        assertThat(several.slot(i)).as("instance %d", i).isEqualTo(one.slot(i));
                    }
                }
            }
            from = to;
        }
    }

    /** What two threads share by mistake shows only when they happen to use it at once: many times one moment. */
    @Test
    void shouldComputeTheSameBitsAgainAndAgain() throws Exception {
        Interpolator one = shown(0.25f);
        FloatBuffer expected = new InstanceBuffer(InstanceFormat.POSE).write(one, 1, 2, 3);
        Interpolator several = new Interpolator(LINES);
        InstanceBuffer instances = new InstanceBuffer(InstanceFormat.POSE);
        List<int[]> halves = List.of(
                new int[] {0, EventfulWorld.BLOCKS / 2}, new int[] {EventfulWorld.BLOCKS / 2, EventfulWorld.BLOCKS});
        for (int round = 0; round < 300; round++) {
            several.show(from, to, 0.25f, TICK_SECONDS);
            instances.begin(several, 1, 2, 3);
            onThreads(halves, instances::writeBlocks);
            assertThat(instances.end()).isEqualTo(expected);
            onThreads(halves, several::blend);
            for (int b = 0; b < EventfulWorld.BLOCKS; b++) {
                assertSameBits(
                        several.block(b), one.block(b), one.shown().poses().slotsIn(b));
            }
        }
    }

    /** The canary: what compares the bits must see that a range was forgotten. Only reading the block blends it after all. */
    @Test
    void shouldBlendARangeThatWasForgottenWhenItIsRead() {
        Interpolator moment = shown(0.25f);
        PoseBlock block = moment.poses().block(6);
        float[] before = block.px.clone();
        moment.show(from, to, 0.75f, TICK_SECONDS);
        moment.blend(0, 6);
        moment.blend(7, EventfulWorld.BLOCKS);
        assertThat(moment.blocks.isDone(6)).isFalse();
        assertThat(block.px).isEqualTo(before);
        assertThat(moment.block(6).px).isNotEqualTo(before);
        Interpolator one = shown(0.75f);
        assertSameBits(block, one.block(6), PoseBlock.CAPACITY);
    }

    @Test
    void shouldBlendABlockOnce() {
        Interpolator moment = shown(0.25f);
        moment.blend(2, 4);
        PoseBlock block = moment.block(2);
        block.px[5] = 12345;
        moment.blend(0, EventfulWorld.BLOCKS);
        assertThat(moment.poses().block(2).px[5]).isEqualTo(12345);
    }

    @Test
    void shouldRefuseABlockThatAnotherThreadIsBlending() {
        Interpolator moment = shown(0.25f);
        assertThat(moment.blocks.take(4)).as("as another thread does").isTrue();
        String message =
                "block 4 is being blended by another thread: ranges of threads must not overlap, and the frame's"
                        + " thread must wait for all of them before it reads";
        assertThatIllegalStateException().isThrownBy(() -> moment.blend(3, 5)).withMessage(message);
        assertThatIllegalStateException().isThrownBy(moment::poses).withMessage(message);
        assertThat(moment.blocks.isDone(3)).isTrue();
        moment.endMoment(); // the refused thread does not use the moment any more
    }

    @Test
    void shouldBlendRightOrRefuseThreadsThatTakeTheSameBlocks() throws Exception {
        for (int round = 0; round < 100; round++) {
            Interpolator moment = shown(0.25f);
            int[] everything = {0, EventfulWorld.BLOCKS};
            try {
                onThreads(List.of(everything, everything), moment::blend);
            } catch (ExecutionException refused) {
                assertThat(refused).hasMessageContaining("is being blended by another thread");
            }
            Interpolator one = shown(0.25f);
            for (int b = 0; b < EventfulWorld.BLOCKS; b++) {
                assertSameBits(
                        moment.block(b), one.block(b), one.shown().poses().slotsIn(b));
            }
        }
    }

    @Test
    void shouldNotEndAMomentThatAThreadStillBlends() {
        Interpolator moment = shown(0.25f);
        moment.startUse();
        String message =
                "the moment cannot end: 1 threads are still blending it or writing its instances; wait for them"
                        + " first";
        assertThatIllegalStateException().isThrownBy(moment::endMoment).withMessage(message);
        assertThatIllegalStateException()
                .isThrownBy(() -> moment.show(from, to, 0.75f, TICK_SECONDS))
                .withMessage(message);
        PoseBlock expected = shown(0.25f).block(1);
        assertSameBits(moment.block(1), expected, PoseBlock.CAPACITY);
        moment.endUse();
        moment.show(from, to, 0.75f, TICK_SECONDS);
    }

    @Test
    void shouldRefuseARangeOfAMomentThatHasEnded() {
        String message =
                "there is no moment to blend: show() was not called yet, or the moment has ended; a thread must finish"
                        + " its ranges before the frame's thread goes on";
        assertThatIllegalStateException()
                .isThrownBy(() -> new Interpolator(LINES).blend(0, 0))
                .withMessage(message);
        Interpolator moment = shown(0.25f);
        moment.endMoment();
        moment.endMoment();
        assertThatIllegalStateException().isThrownBy(() -> moment.blend(0, 1)).withMessage(message);
        assertThat(moment.poses().slotCount()).as("can still be read").isPositive();
    }

    @Test
    void shouldNotReleaseTheSnapshotsOfAFrameThatAThreadStillBlends() {
        PublishedWorld publishing = new PublishedWorld(3, tick -> 0);
        FrameView view = FrameView.of(publishing.newReader());
        publishing.runUntil(5 * PublishedWorld.TICK_NANOS);
        view.advance(5 * PublishedWorld.TICK_NANOS);
        Interpolator moment = view.interpolator();
        float x = view.poses().block(0).px[0];
        moment.startUse();
        publishing.runUntil(7 * PublishedWorld.TICK_NANOS);
        assertThatIllegalStateException()
                .isThrownBy(() -> view.advance(7 * PublishedWorld.TICK_NANOS))
                .withMessageStartingWith("the moment cannot end: 1 threads");
        assertThatIllegalStateException().isThrownBy(view::close).withMessageStartingWith("the moment cannot end");
        assertThat(view.window().newestTick()).as("the window is still held").isEqualTo(5);
        assertThat(view.poses().block(0).px[0]).isEqualTo(x);
        moment.endUse();
        assertThat(view.advance(7 * PublishedWorld.TICK_NANOS)).isTrue();
        assertThat(view.window().newestTick()).isEqualTo(7);
        moment.blend(0, 1);
        view.close();
        assertThatIllegalStateException().isThrownBy(() -> moment.blend(0, 1));
    }

    /** A stranger's call is refused as before, and the threads that blend the frame are not disturbed. */
    @Test
    void shouldNotEndTheMomentForAThreadThatDoesNotOwnTheView() throws Exception {
        PublishedWorld publishing = new PublishedWorld(3, tick -> 0);
        try (FrameView view = FrameView.of(publishing.newReader())) {
            publishing.runUntil(5 * PublishedWorld.TICK_NANOS);
            view.advance(5 * PublishedWorld.TICK_NANOS);
            Future<?> stranger = executor.submit(() -> view.advance(6 * PublishedWorld.TICK_NANOS));
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(stranger::get)
                    .withMessageContaining("belongs to one thread");
            view.interpolator().blend(0, 1);
        }
    }

    @Test
    void shouldRefuseRangesThatAreNone() {
        Interpolator moment = shown(0.25f);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> moment.blend(0, EventfulWorld.BLOCKS + 1));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> moment.blend(2, 1));
        moment.endMoment(); // a refused range does not use the moment any more
    }

    @Test
    void shouldRefuseInstancesOfWhichARangeIsForgottenOrWrittenTwice() {
        Interpolator moment = shown(0.25f);
        InstanceWriter writer = new InstanceWriter(InstanceFormat.POSE);
        FloatBuffer out = direct(writer.floatsFor(moment));
        writer.begin(moment, 0, 0, 0, out);
        writer.writeBlocks(0, 6);
        writer.writeBlocks(7, EventfulWorld.BLOCKS);
        assertThatIllegalStateException()
                .isThrownBy(writer::end)
                .withMessage("block 6 of 10 is not written: a range was forgotten, or its thread was not waited for");
        assertThatIllegalStateException()
                .isThrownBy(() -> writer.writeBlocks(6, 8))
                .withMessage("block 7 is already written, or being written: ranges must not overlap");
        assertThat(writer.end()).isEqualTo(moment.bodies().count());
    }

    @Test
    void shouldRefuseInstancesOfAMomentThatHasEnded() {
        Interpolator moment = shown(0.25f);
        InstanceBuffer instances = new InstanceBuffer(InstanceFormat.POSE);
        assertThatIllegalStateException().isThrownBy(() -> instances.writeBlocks(0, 0));
        instances.begin(moment, 0, 0, 0);
        moment.show(from, to, 0.75f, TICK_SECONDS);
        assertThatIllegalStateException()
                .isThrownBy(() -> instances.writeBlocks(0, 1))
                .withMessage("the moment to write has ended: begin again after each show or advance");
        moment.endMoment(); // a refused range does not use the moment any more
        assertThatIllegalStateException()
                .isThrownBy(() -> instances.writeBlocks(0, 1))
                .withMessageStartingWith("there is no moment to blend");
        instances.write(moment, 0, 0, 0); // on one thread, an ended moment can be read
    }

    /** A moment between ticks 5 and 6, of one world for a whole test. */
    private Interpolator shown(float alpha) {
        while (to.tick() < 6) {
            from = to;
            to = world.tick();
        }
        Interpolator moment = new Interpolator(LINES);
        moment.show(from, to, alpha, TICK_SECONDS);
        return moment;
    }

    /** Random ranges that make up all blocks, in random order. */
    private List<int[]> divide(int blocks, int ranges) {
        int[] ends =
                random.ints(Math.max(0, ranges - 1), 0, blocks + 1).sorted().toArray();
        List<int[]> divided = new ArrayList<>();
        int start = 0;
        for (int end : ends) {
            divided.add(random.nextInt(divided.size() + 1), new int[] {start, end});
            start = end;
        }
        divided.add(new int[] {start, blocks});
        return divided;
    }

    /** Deals the ranges out to threads, which start together so that they really work at once. */
    private void onThreads(List<int[]> ranges, Blocks blocks) throws Exception {
        AtomicInteger ready = new AtomicInteger();
        List<Future<?>> parts = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int first = thread;
            parts.add(executor.submit(() -> {
                ready.incrementAndGet();
                while (ready.get() < THREADS) {
                    Thread.onSpinWait();
                }
                for (int i = first; i < ranges.size(); i += THREADS) {
                    blocks.work(ranges.get(i)[0], ranges.get(i)[1]);
                }
            }));
        }
        ExecutionException refused = null;
        for (Future<?> part : parts) {
            try {
                part.get();
            } catch (ExecutionException e) {
                refused = e;
            }
        }
        if (refused != null) {
            throw refused; // after all have ended
        }
    }

    private static void assertSameBits(PoseBlock actual, PoseBlock expected, int n) {
        float[][] a = components(actual);
        float[][] e = components(expected);
        for (int c = 0; c < e.length; c++) {
            assertThat(Arrays.mismatch(a[c], 0, n, e[c], 0, n))
                    .as("component %d", c)
                    .isEqualTo(-1);
        }
    }

    private static float[][] components(PoseBlock p) {
        List<float[]> components = new ArrayList<>(List.of(p.px, p.py, p.pz, p.qx, p.qy, p.qz, p.qw));
        components.addAll(List.of(p.channels));
        return components.toArray(new float[0][]);
    }

    private static FloatBuffer direct(int floats) {
        return ByteBuffer.allocateDirect(floats * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }
}
