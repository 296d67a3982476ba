package example.libgdx;

import com.badlogic.gdx.ApplicationAdapter;
import com.badlogic.gdx.backends.lwjgl3.Lwjgl3Application;
import com.badlogic.gdx.backends.lwjgl3.Lwjgl3ApplicationConfiguration;
import com.badlogic.gdx.graphics.Color;
import com.badlogic.gdx.graphics.PerspectiveCamera;
import com.badlogic.gdx.graphics.g3d.Environment;
import com.badlogic.gdx.graphics.g3d.ModelBatch;
import com.badlogic.gdx.graphics.g3d.ModelInstance;
import com.badlogic.gdx.graphics.g3d.attributes.ColorAttribute;
import com.badlogic.gdx.graphics.g3d.environment.DirectionalLight;
import com.badlogic.gdx.utils.ScreenUtils;

/** The game in a window: models with meshes, a camera, and light. The game is made when there is OpenGL, because meshes need it. */
final class CellarWindow extends ApplicationAdapter {

    private static final Color BACKGROUND = new Color(0.68f, 0.77f, 0.87f, 1);
    private static final int SAMPLES = 4;

    private final int seconds;
    private final PerspectiveCamera camera = new PerspectiveCamera();
    private final Environment environment = new Environment();
    private CellarModels models;
    private ModelInstance floor;
    private ModelBatch batch;
    private LibgdxExample game;

    @SuppressWarnings("NullAway.Init") // an application is made ready in create()
    private CellarWindow(int seconds) {
        this.seconds = seconds;
    }

    /** Returns when the game has ended or the window is closed. */
    static LibgdxExample play(int seconds) {
        Lwjgl3ApplicationConfiguration configuration = new Lwjgl3ApplicationConfiguration();
        configuration.setTitle("Barrel cellar");
        configuration.setWindowedMode(1280, 720);
        configuration.setBackBufferConfig(8, 8, 8, 8, 24, 0, SAMPLES);
        configuration.disableAudio(true); // nothing is heard here
        CellarWindow window = new CellarWindow(seconds);
        new Lwjgl3Application(window, configuration);
        return window.game;
    }

    @Override
    public void create() {
        environment.set(new ColorAttribute(ColorAttribute.AmbientLight, 0.45f, 0.45f, 0.45f, 1));
        environment.add(new DirectionalLight().set(0.8f, 0.8f, 0.75f, 0.4f, -1, -0.6f));
        models = new CellarModels();
        floor = new ModelInstance(models.floor, 0, -0.5f, 0);
        batch = new ModelBatch();
        game = new LibgdxExample(seconds, models.barrel, models.lift);
        game.create();
    }

    @Override
    public void resize(int width, int height) {
        camera.fieldOfView = 45;
        camera.viewportWidth = width;
        camera.viewportHeight = height;
        camera.position.set(0, 6, 21);
        camera.up.set(0, 1, 0);
        camera.lookAt(4, 3, 0);
        camera.update();
    }

    @Override
    public void render() {
        game.render();
        ScreenUtils.clear(BACKGROUND, true);
        batch.begin(camera);
        batch.render(floor, environment);
        batch.render(game.instances(), environment);
        batch.end();
    }

    @Override
    public void dispose() {
        game.dispose();
        batch.dispose();
        models.dispose();
    }
}
