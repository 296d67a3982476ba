package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.joml.Quaternionf;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A client decodes the world with errors of at most half a millimetre. */
class PictureEncoderTest {

    private static final long START_NANOS = 1_000_000_000_000L;
    private static final float HALF = (float) Math.sqrt(0.5);

    private final TestWorld world = new TestWorld();
    private final SnapshotReader reader = world.driver.newReader();
    private final PictureEncoder encoder = new PictureEncoder(START_NANOS);
    private final SeenWorld seen = new SeenWorld();
    private @Nullable Quantised shown;
    private int sequence;

    private void startUp() {
        world.ticks(3); // the first window
        send();
    }

    private Window send() {
        assertThat(reader.acquire()).isTrue();
        Window window = reader.window();
        encoder.begin(window, ++sequence, START_NANOS + 7);
        PictureEncoder.Picture picture = encoder.live(shown);
        seen.see(picture.take());
        picture.giveBack();
        shown = picture.shown;
        seen.shouldShow(window.newest());
        return window;
    }

    private void tickAndSend() {
        world.tick();
        send();
    }

    private void still(int bodies) {
        world.capture = poses -> {
            poses.bodyCount(bodies);
            for (int i = 0; i < bodies; i++) {
                poses.set(i, i, 0, 0, 0, 0, 0, 1);
            }
        };
    }

    private void at(float x) {
        world.capture = poses -> {
            poses.bodyCount(2);
            poses.set(0, x, 0, 0, 0, 0, 0, 1);
            poses.set(1, 1, 2, 3, 0, 0, 0, 1);
        };
    }

    @Test
    void shouldSendAllOnceAndThenWhatMoves() {
        still(3000);
        startUp();
        assertThat(seen.complete).isTrue();
        assertThat(seen.came).hasSize(3000);
        tickAndSend();
        assertThat(seen.complete).isFalse();
        assertThat(seen.full + seen.moved + seen.came.size()).isZero();
        world.capture = poses -> poses.set(1500, 1500, 0.25f, 0, 0, 0, 0, 1);
        tickAndSend();
        assertThat(seen.moved).isEqualTo(1);
        world.capture = poses -> poses.set(1500, 1500, 0.2502f, 0, 0, 0, 0, 1);
        tickAndSend();
        assertThat(seen.moved).as("less than a unit").isZero();
    }

    @Test
    void shouldReportOfBlocksThatEmpty() {
        still(3 * PoseBlock.CAPACITY);
        startUp();
        still(1);
        tickAndSend();
        assertThat(seen.gone).hasSize(3 * PoseBlock.CAPACITY - 1);
        still(2 * PoseBlock.CAPACITY);
        tickAndSend();
        assertThat(seen.came).hasSize(2 * PoseBlock.CAPACITY - 1);
    }

    @Test
    void shouldReportTeleportsAndPosesThatAreNotFinite() {
        at(0);
        startUp();
        world.capture = poses -> {
            poses.set(1, 5, 2, 3, 0, 0, 0, 1);
            poses.teleport(1);
        };
        tickAndSend();
        assertThat(seen.snapped).containsExactly(1);
        world.capture = poses -> poses.set(0, Float.NaN, 0, 0, 0, 0, 0, 1);
        tickAndSend();
        assertThat(seen.snapped).isEmpty();
        assertThat(seen.quarantined).containsExactly(0);
        world.capture = poses -> {};
        tickAndSend();
        assertThat(seen.quarantined).containsExactly(0);
        at(1);
        tickAndSend();
        assertThat(seen.quarantined).isEmpty();
    }

    @Test
    void shouldReportParentsCentresOfMassAndFastWheels() {
        still(1500);
        startUp();
        assertThat(seen.riders).isEmpty();
        world.capture = poses -> {
            poses.relativeTo(1400, BodyId.of(7, 1));
            poses.relativeTo(3, BodyId.of(1400, 1));
            poses.centreOfMass(3, 1, 2, 3);
            poses.centreOfMass(1400, 0, 0, -0.5f);
            poses.set(5, 5, 0, 0, 0, 0, 0, 1);
            poses.angularVelocity(5, 0, (float) (-200 * Math.PI), 0);
        };
        tickAndSend();
        assertThat(seen.riders).containsExactly(entry(3, 1400), entry(1400, 7));
        assertThat(seen.centres).containsExactly(entry(3, List.of(1f, 2f, 3f)), entry(1400, List.of(0f, 0f, -0.5f)));
        assertThat(seen.spins).containsExactly(entry(5, List.of(0f, (float) (-2 * Math.PI), 0f)));
        world.capture = poses -> {
            poses.relativeTo(3, 0);
            poses.centreOfMass(3, 0, 0, 0);
        };
        tickAndSend();
        assertThat(seen.riders).containsExactly(entry(1400, 7));
        assertThat(seen.centres).containsOnlyKeys(1400);
        assertThat(seen.spins).isEmpty();
    }

    /** 0.3 rotations a tick are 0.6 in two ticks, which look like 0.4 in the other direction. */
    @Test
    void shouldReportMoreThanHalfTurnsBetweenPictures() {
        still(1500);
        startUp();
        int[] turned = {0};
        world.capture = poses -> {
            double half = ++turned[0] * 0.3 * Math.PI;
            poses.set(1400, 5, 0, 0, 0, (float) Math.sin(half), 0, (float) Math.cos(half));
            poses.set(7, 5, 0, 0, 0, 0, (float) Math.sin(half / 4), (float) Math.cos(half / 4));
        };
        tickAndSend();
        tickAndSend();
        assertThat(seen.spins).as("each tick is sent").isEmpty();
        world.tick();
        tickAndSend();
        assertThat(seen.spins).containsOnlyKeys(1400);
        assertThat(seen.spins.values().iterator().next().get(1)).isCloseTo((float) (0.6 * Math.PI), within(1e-5f));
    }

    @Test
    void shouldShowBodiesBeyond1000KilometresThere() {
        at(0);
        startUp();
        for (float far : new float[] {3e6f, -1e9f, (float) 1e18, -7}) {
            at(far);
            tickAndSend();
        }
    }

    @Test
    void shouldShowAnyWorldToAClientThatMissesTicks() {
        Random random = new Random(24);
        List<Long> ids = new ArrayList<>();
        world.capture = poses -> change(poses, ids, random);
        startUp();
        for (int i = 0; i < 150; i++) {
            world.ticks(1 + random.nextInt(4));
            Window window = send();
            assertThat(seen.kind).isEqualTo(1);
            assertThat(seen.sequence).isEqualTo(sequence);
            assertThat(seen.dueNanos).isEqualTo((double) seen.tick * TestWorld.TICK_NANOS);
            assertThat(seen.publishedNanos).isEqualTo((double) (window.newest().publishedNanos() - START_NANOS));
            assertThat(seen.sentNanos).isEqualTo(7);
            assertThat(seen.pieces).singleElement().isEqualTo(new double[] {0, 0, 1});
        }
    }

    /** Clients with the same previous picture get the same buffer. A slower client gets everything that it has missed. */
    @Test
    void shouldShareAPictureAmongClients() {
        still(100);
        startUp();
        PictureEncoder.Picture first = encoder.live(null);
        Quantised behind = first.shown;
        SeenWorld slow = new SeenWorld();
        slow.see(first.take());
        for (int tick = 1; tick < 20; tick++) {
            float x = tick * 0.25f;
            world.capture = poses -> poses.set(7, x, 0, 0, 0, 0, 0, 1);
            tickAndSend();
        }
        PictureEncoder.Picture all = encoder.live(behind);
        assertThat(encoder.live(behind)).isSameAs(all);
        slow.see(all.take());
        slow.shouldShow(reader.window().newest());
        assertThat(slow.moved + slow.full).isEqualTo(1);
    }

    @Test
    void shouldWriteNoBufferThatIsUnderWay() {
        at(0);
        world.ticks(3);
        assertThat(reader.acquire()).isTrue();
        encoder.begin(reader.window(), ++sequence, START_NANOS);
        ByteBuffer underWay = encoder.live(null).take();
        ByteBuffer asItWas = ByteBuffer.allocate(underWay.remaining())
                .put(underWay.duplicate())
                .flip();
        for (int tick = 1; tick < 10; tick++) {
            at(tick);
            tickAndSend();
        }
        assertThat(underWay).isEqualTo(asItWas);
    }

    private static void change(PoseWriter poses, List<Long> ids, Random random) {
        for (int i = random.nextInt(50); i > 0 && !ids.isEmpty(); i--) {
            poses.despawn(ids.remove(random.nextInt(ids.size())));
        }
        if (random.nextInt(20) == 0) {
            poses.origin(random.nextInt(100), 0, random.nextInt(100));
        }
        for (long id : ids) {
            if (random.nextInt(3) == 0) {
                float reach = random.nextInt(40) == 0 ? 1e5f : 3;
                float[] at = {reach * random.nextFloat(), -reach * random.nextFloat()};
                Quaternionf q = random.nextInt(8) == 0
                        ? new Quaternionf(HALF, 0, -HALF, 0)
                        : new Quaternionf()
                                .rotationYXZ(6 * random.nextFloat(), 3 * random.nextFloat(), 6 * random.nextFloat());
                poses.set(BodyId.slot(id), at[0], at[1], BodyId.slot(id), q.x, q.y, q.z, q.w);
            }
        }
        for (int i = random.nextInt(60); i > 0; i--) {
            long id = poses.spawn(random.nextLong());
            poses.set(BodyId.slot(id), BodyId.slot(id), 1, 2, 0, 1, 0, 0);
            ids.add(id);
        }
    }
}
