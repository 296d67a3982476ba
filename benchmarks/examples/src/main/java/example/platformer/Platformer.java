package example.platformer;

import com.badlogic.gdx.Gdx;
import com.badlogic.gdx.Input.Keys;
import com.badlogic.gdx.InputAdapter;
import com.badlogic.gdx.InputMultiplexer;
import com.badlogic.gdx.ScreenAdapter;
import com.badlogic.gdx.audio.Sound;
import com.badlogic.gdx.graphics.Color;
import com.badlogic.gdx.graphics.OrthographicCamera;
import com.badlogic.gdx.graphics.Pixmap;
import com.badlogic.gdx.graphics.Texture;
import com.badlogic.gdx.graphics.g2d.BitmapFont;
import com.badlogic.gdx.graphics.g2d.Sprite;
import com.badlogic.gdx.graphics.g2d.SpriteBatch;
import com.badlogic.gdx.math.MathUtils;
import com.badlogic.gdx.utils.GdxRuntimeException;
import com.badlogic.gdx.utils.ScreenUtils;
import com.badlogic.gdx.utils.viewport.FitViewport;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.TickingWorld;
import dev.escapement.render.FrameView;
import dev.escapement.render.Succession;
import dev.escapement.render.libgdx.ServiceInput;
import dev.escapement.render.web.LivePage;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.time.NanoClock;
import java.util.List;
import java.util.function.Function;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;

/** The game's screen. It draws the level, receives input and plays sounds. Render thread only. */
final class Platformer extends ScreenAdapter {

    private static final String MENU = """
            Take all gems.
            A, D, W: blue player. Arrows: red player.
            ENTER play   R again   ESC menu, end   F1 live page""";

    private final SpriteBatch batch = new SpriteBatch();
    private final Texture white; // drawn in the colour of each kind; a real game has a picture per kind
    private final List<Sprite> sprites;
    private final BitmapFont font = new BitmapFont();
    private final OrthographicCamera camera = new OrthographicCamera();
    private final FitViewport viewport = new FitViewport(16, 9, camera); // width and height of the view in metres
    private final Sound thud = Gdx.audio.newSound(new Tone(90));
    private final Sound ding = Gdx.audio.newSound(new Tone(1200));
    private final Vector3f at = new Vector3f();
    private final Vector3f other = new Vector3f();

    private final NanoClock clock;
    private final Function<Level, TickingWorld> starter;
    private final ServiceInput input;
    private final Succession<FrameView> succession;
    private TickingWorld physics;
    private EventStream events;
    private FrameView view;
    private @Nullable LivePage page;
    private boolean menu = true;

    /**
     * Creates the screen. The game passes {@code NanoClock.system()} and {@code Platformer::start}. A test passes its own clock, and a
     * starter that starts no thread.
     */
    Platformer(NanoClock clock, Function<Level, TickingWorld> starter) {
        this.clock = clock;
        this.starter = starter;
        font.getData().setScale(1 / 40f);
        font.setUseIntegerPositions(false);
        camera.position.y = 3.5f;
        Pixmap pixel = new Pixmap(1, 1, Pixmap.Format.RGB888);
        pixel.drawPixel(0, 0, -1);
        white = new Texture(pixel);
        pixel.dispose();
        sprites = Kind.ALL.stream().map(this::sprite).toList();
        input = new ServiceInput(clock);
        Gdx.input.setInputProcessor(new InputMultiplexer(input, new MenuKeys()));
        succession = new Succession<>(next -> next.advance(clock.nanoTime()), FrameView::close);
        physics = starter.apply(Level.make());
        events = physics.events(1024);
        input.offerTo(physics.input());
        view = FrameView.of(physics.newReader());
    }

    static PhysicsService start(Level level) {
        return PhysicsService.builder(level)
                .source(level.box2d.touchWatch()) // reports forbidden access to the world; not in a release
                .start();
    }

    private void restart() {
        events.close();
        physics.close(); // the screen continues to show the old world's last picture
        physics = starter.apply(Level.make());
        events = physics.events(1024);
        input.offerTo(physics.input()); // passes the held keys to the new service
        succession.submit(FrameView.of(physics.newReader())); // shown as soon as the new service has a picture
        if (page != null) {
            page.show(physics.newReader(), physics);
        }
    }

    @Override
    public void render(float deltaSeconds) {
        physics.failure().ifPresent(cause -> {
            throw new GdxRuntimeException("physics has failed: " + cause, cause);
        });
        FrameView next = succession.take();
        if (next != null) {
            view.close();
            view = next;
        }
        ScreenUtils.clear(Color.SKY);
        boolean shown = view.advance(clock.nanoTime()); // false until the first picture
        if (shown) {
            draw();
        }
        boolean isCurrent = shown && succession.successor() == null; // else the screen still shows the old world
        if (menu) {
            write(MENU);
            if (isCurrent) {
                physics.pause(); // pauses only after a frame with the menu was drawn
            }
        }
        if (isCurrent) {
            events.drain(view.shown().tick(), this::hear); // an impact is heard when it is seen
        }
    }

    private void draw() {
        view.positionOfSlot(0, at).add(view.positionOfSlot(1, other)).mul(0.5f); // the point between both players
        camera.position.x = at.x;
        viewport.apply();
        batch.setProjectionMatrix(camera.combined);
        int gems = 0;
        batch.begin();
        Bodies bodies = view.shown().bodies();
        for (int slot = 0; slot < bodies.slotCount(); slot++) {
            if (bodies.exists(slot)) {
                Sprite sprite = sprites.get((int) bodies.userData(slot) - 1);
                view.positionOfSlot(slot, at);
                sprite.setOriginBasedPosition(at.x, at.y);
                sprite.setRotation(view.angleOfSlot(slot) * MathUtils.radiansToDegrees);
                sprite.draw(batch);
                gems += bodies.userData(slot) == Kind.GEM.number() ? 1 : 0;
            }
        }
        batch.end();
        if (!menu) {
            write(gems > 0 ? gems + " gems left" : "You have all. R plays again.");
        }
    }

    private void write(String text) {
        viewport.apply();
        batch.setProjectionMatrix(camera.combined);
        batch.begin();
        font.draw(batch, text, camera.position.x - 7, 7.5f);
        batch.end();
    }

    private void hear(BodyEvent event) {
        if (event.kind() == BodyEvent.Kind.CONTACT_BEGAN && event.closingSpeed() > 1) { // m/s
            boolean crate = event.userData() == Kind.CRATE.number() || event.otherUserData() == Kind.CRATE.number();
            // The three arguments are volume, pitch and pan.
            thud.play(Math.min(1, event.closingSpeed() / 10), crate ? 1 : 2, 0);
        } else if (event.kind() == BodyEvent.Kind.DESPAWNED && event.userData() == Kind.GEM.number()) {
            ding.play();
        }
    }

    /** Handles the keys of the menu. {@link ServiceInput} receives every key first. */
    private final class MenuKeys extends InputAdapter {

        @Override
        public boolean keyDown(int key) {
            switch (key) {
                case Keys.ENTER -> play();
                case Keys.R -> {
                    restart();
                    play();
                }
                case Keys.ESCAPE -> {
                    if (menu) {
                        Gdx.app.exit();
                    }
                    menu = true;
                }
                case Keys.F1 -> watch();
                default -> {}
            }
            return true;
        }
    }

    private void play() {
        menu = false; // leaves the menu; render() pauses while the menu is shown
        physics.resume();
    }

    private void watch() {
        if (page == null) {
            page = LivePage.of(physics.newReader()).controls(physics).start();
            Gdx.app.log("live page", page.url());
        }
    }

    private Sprite sprite(Kind kind) {
        Sprite sprite = new Sprite(white);
        sprite.setSize(kind.width, kind.height);
        sprite.setOriginCenter();
        sprite.setColor(new Color(kind.rgba));
        return sprite;
    }

    @Override
    public void resize(int width, int height) {
        viewport.update(width, height);
    }

    @Override
    public void dispose() {
        if (page != null) {
            page.close();
        }
        events.close();
        succession.close();
        view.close();
        physics.close(); // also closes the level, the simulation of the service
        white.dispose();
        batch.dispose();
        font.dispose();
        thud.dispose();
        ding.dispose();
    }
}
