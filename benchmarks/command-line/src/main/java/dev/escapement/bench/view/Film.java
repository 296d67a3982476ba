package dev.escapement.bench.view;

import dev.escapement.bench.compare.LoadProfile;
import dev.escapement.bench.compare.TwoLatestPicture.AlphaRule;
import dev.escapement.bench.compare.VirtualPhysics;
import dev.escapement.bench.compare.WorkClock;
import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.Ode4jPile;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Tick;
import dev.escapement.physics.world.ForwardingSimulation;
import dev.escapement.render.FrameView;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.render.lwjgl.Camera;
import dev.escapement.render.lwjgl.OffscreenPicture;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.TickRate;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.joml.Vector3dc;
import org.joml.Vector3f;

/**
 * A film of one world, shown twice side by side: on the left as a loop shows it that draws the newest snapshot, on the right by
 * {@link FrameView}. Both are readers of the same ticks and draw the same frames of a display, on a virtual clock, so that the film is the
 * same in every run. Each frame of the display is a frame of the film, which is slower.
 */
final class Film {

    static final int WIDTH = 480;
    static final int HEIGHT = 270;

    /** How long a frame of the film is shown, in hundredths of a second. */
    static final int FRAME_CENTISECONDS = 3;

    static final int FRAMES = 132;

    private static final TickRate TICK_RATE = TickRate.hertz(100);
    private static final TickRate DISPLAY = TickRate.hertz(144);
    private static final LoadProfile LOAD = LoadProfile.HEAVY;

    /** So long that the delay that covers this load has been learned. */
    private static final long WARM_UP_TICKS = 1200;

    private static final int BOXES = 20;
    private static final int COURIERS = 2;
    private static final SceneView SCENE = new SceneView(6, BoxPile.HALF_EXTENT, 7, COURIERS);
    private static final int TITLE_HEIGHT = 24;
    private static final int STRIP_HEIGHT = 44;
    private static final int CAPTION_HEIGHT = 18;
    private static final int VIEW_WIDTH = WIDTH / 2 - 1;
    private static final int VIEW_HEIGHT = HEIGHT - TITLE_HEIGHT - STRIP_HEIGHT - CAPTION_HEIGHT;
    private static final int FRONT_COURIER = BOXES;

    /** The trail of the courier in front: so many frames, each so many pixels above the one after it. */
    private static final int TRAIL = 26;

    private static final int TRAIL_STEP = 3;
    private static final int TRAIL_LIFT = 14;
    private static final Color GROUND = new Color(16, 18, 22);
    private static final Color TEXT = new Color(235, 238, 242);
    private static final Color FAINT = new Color(160, 168, 180);
    private static final Color COURIER = new Color(255, 40, 130);

    private final List<BufferedImage> frames = new ArrayList<>();
    private final Side left = new Side("Game loop: newest snapshot");
    private final Side right = new Side("Escapement");

    private Film() {}

    /** One half of the film: what it is called, its errors, and where the courier in front was seen. */
    private static final class Side {
        final String title;
        final AnimationError error;
        final ErrorStrip strip = new ErrorStrip(FRAMES);

        /** Where the courier in front was seen across, the last frame first. */
        final float[] trail = new float[TRAIL];

        float courierY;
        BufferedImage picture = new BufferedImage(VIEW_WIDTH, VIEW_HEIGHT, BufferedImage.TYPE_INT_RGB);

        Side(String title) {
            this.title = title;
            error = new AnimationError(title);
        }
    }

    /** What was filmed, and the mean animation error of each side. */
    record Reel(List<BufferedImage> frames, double leftMillis, double rightMillis) {}

    /**
     * Films.
     *
     * @throws dev.escapement.render.lwjgl.NoOpenGlException if this machine cannot draw without a display
     */
    static Reel shoot() {
        Film film = new Film();
        WorkClock clock = WorkClock.virtual();
        World world = new World(new Ode4jPile(new BoxPile(BOXES)), clock);
        try (OffscreenPicture picture = OffscreenPicture.open(VIEW_WIDTH, VIEW_HEIGHT, SCENE);
                InlineDriver driver = PhysicsService.builder(world)
                        .rate(TICK_RATE)
                        .maxReaders(2)
                        .inline(clock)) {
            TwoLatestView newest = new TwoLatestView(driver.newReader());
            FrameView view = FrameView.of(driver.newReader());
            Camera camera = Camera.framing(SCENE, VIEW_WIDTH, VIEW_HEIGHT)
                    .orbit((float) Math.toRadians(-18), (float) Math.toRadians(-6))
                    .zoom(0.92f);
            VirtualPhysics physics = new VirtualPhysics(driver, clock, TICK_RATE, LOAD);
            for (long frame = 0; film.frames.size() < FRAMES; frame++) {
                long slotNanos = DISPLAY.nanosAt(frame + 1);
                physics.runUntil(DISPLAY.nanosAt(frame));
                boolean rightReady = view.advance(DISPLAY.nanosAt(frame), slotNanos);
                if (newest.advance(AlphaRule.newest(), DISPLAY.nanosAt(frame)) && rightReady) {
                    long leftError = film.left.error.frame(
                            newest.shownSimNanos(), view.window().timeline(), slotNanos);
                    long rightError = film.right.error.frame(
                            view.clock().shownSimNanos(), view.window().timeline(), slotNanos);
                    if (slotNanos >= TICK_RATE.nanosAt(WARM_UP_TICKS + 4)) {
                        film.left.strip.add(leftError);
                        film.right.strip.add(rightError);
                        render(film.left, picture, camera, newest.moment());
                        render(film.right, picture, camera, view.interpolator());
                        film.frames.add(film.compose());
                    }
                }
            }
        }
        return new Reel(film.frames, film.left.strip.meanMillis(), film.right.strip.meanMillis());
    }

    private static void render(Side side, OffscreenPicture picture, Camera camera, Interpolator moment) {
        BufferedImage image = picture.render(moment.poses(), camera);
        PoseBlock block = moment.block(FRONT_COURIER >>> PoseBlock.SHIFT);
        int i = FRONT_COURIER & PoseBlock.MASK;
        Vector3f seen = camera.worldToClip().transformProject(new Vector3f(block.px[i], block.py[i], block.pz[i]));
        System.arraycopy(side.trail, 0, side.trail, 1, TRAIL - 1);
        side.trail[0] = (seen.x + 1) / 2 * VIEW_WIDTH;
        side.courierY = (1 - seen.y) / 2 * VIEW_HEIGHT;
        side.picture = image;
    }

    private BufferedImage compose() {
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D to = image.createGraphics();
        to.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        to.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        to.setColor(GROUND);
        to.fillRect(0, 0, WIDTH, HEIGHT);
        draw(to, left, 0);
        draw(to, right, WIDTH - VIEW_WIDTH);
        to.setColor(FAINT);
        to.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 10));
        to.drawString("slow motion", WIDTH - 66, TITLE_HEIGHT - 8);
        to.drawString(
                "Dots: the last " + TRAIL + " frames. Bars: animation error. 100 Hz ticks of 1 to 8 ms, 144 fps.",
                6,
                HEIGHT - 6);
        to.dispose();
        return image;
    }

    private void draw(Graphics2D to, Side side, int x) {
        to.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 13));
        to.setColor(TEXT);
        to.drawString(side.title, x + 6, TITLE_HEIGHT - 8);
        to.drawImage(side.picture, x, TITLE_HEIGHT, null);
        to.setColor(COURIER);
        for (int age = Math.min(TRAIL, frames.size() + 1) - 1; age >= 0; age--) {
            int dotX = Math.round(side.trail[age]);
            int dotY = Math.round(side.courierY) - TRAIL_LIFT - TRAIL_STEP * age;
            to.fillRect(x + dotX - 2, TITLE_HEIGHT + dotY, 4, TRAIL_STEP);
        }
        side.strip.draw(to, x, TITLE_HEIGHT + VIEW_HEIGHT, VIEW_WIDTH, STRIP_HEIGHT);
        to.setColor(TEXT);
        to.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
        String mean = String.format(Locale.ROOT, "mean %.1f ms", side.strip.meanMillis());
        to.drawString(mean, x + VIEW_WIDTH - 78, TITLE_HEIGHT + VIEW_HEIGHT + 13);
    }

    /** A pile that is blown apart, and two couriers that go to and fro at constant speed. Until the film begins nothing moves. */
    private static final class World extends ForwardingSimulation {

        private static final double HALF_WAY_METRES = 5;
        private static final long TICKS_PER_WAY = 31;

        private final Ode4jPile pile;
        private final WorkClock clock;
        private long tick;

        World(Ode4jPile pile, WorkClock clock) {
            super(pile);
            this.pile = pile;
            this.clock = clock;
        }

        @Override
        public void step(Tick next) throws Exception {
            tick = next.number();
            if (tick == WARM_UP_TICKS) {
                blowApart();
            }
            if (tick >= WARM_UP_TICKS) {
                pile.step(next);
            }
            clock.spend(LOAD.costNanos(tick));
        }

        private void blowApart() {
            SplittableRandom random = new SplittableRandom(3);
            for (int box = 0; box < BOXES; box++) {
                Vector3dc at = pile.position(box);
                pile.push(
                        box,
                        4 * at.x() + random.nextDouble(-1, 1),
                        random.nextDouble(0, 3),
                        4 * at.z() + random.nextDouble(-1, 1));
            }
        }

        @Override
        public void capture(PoseWriter poses) {
            pile.capture(poses);
            poses.bodyCount(BOXES + COURIERS);
            double way = courierX(Math.max(0, tick - WARM_UP_TICKS));
            poses.set(BOXES, (float) way, 0.5f, 5.2f, 0, 0, 0, 1);
            poses.set(BOXES + 1, (float) -way, 4.5f, -5.2f, 0, 0, 0, 1);
        }

        private static double courierX(long ticks) {
            long phase = ticks % (2 * TICKS_PER_WAY);
            long along = Math.min(phase, 2 * TICKS_PER_WAY - phase);
            return HALF_WAY_METRES * (2.0 * along / TICKS_PER_WAY - 1);
        }
    }

    /** How long the film is. */
    static double seconds() {
        return FRAMES * FRAME_CENTISECONDS / 100.0;
    }

    /** How much slower the film is than the world. */
    static double slower() {
        return FRAME_CENTISECONDS * 10_000_000.0 / DISPLAY.nanosAt(1);
    }
}
