package example.jme;

import com.jme3.app.SimpleApplication;
import com.jme3.asset.AssetManager;
import com.jme3.light.AmbientLight;
import com.jme3.light.DirectionalLight;
import com.jme3.math.ColorRGBA;
import com.jme3.math.Vector3f;
import com.jme3.scene.Spatial;
import com.jme3.shadow.DirectionalLightShadowRenderer;
import com.jme3.system.AppSettings;

/** What only somebody at a display needs: a window, a camera, light, and the floor. */
final class YardStage {

    private static final int SHADOW_MAP_SIZE = 2048;
    private static final int SHADOW_MAPS = 2;
    private static final float SHADOWS_UP_TO_METRES = 60;
    private static final ColorRGBA SKY = new ColorRGBA().setAsSrgb(0.68f, 0.77f, 0.87f, 1);
    private static final Vector3f CAMERA_PLACE = new Vector3f(-1, 7, 25);
    private static final Vector3f CAMERA_TARGET = new Vector3f(6, 3, 0);
    private static final Vector3f SUN_DIRECTION = new Vector3f(-0.5f, -1, -0.7f).normalizeLocal();

    private YardStage() {}

    static AppSettings settings() {
        AppSettings settings = new AppSettings(true);
        settings.setTitle("Crate yard");
        settings.setResolution(1280, 720);
        settings.setSamples(4);
        settings.setAudioRenderer(null); // nothing is heard here
        return settings;
    }

    static void setUp(SimpleApplication game) {
        game.getViewPort().setBackgroundColor(SKY);
        game.getCamera().setLocation(CAMERA_PLACE);
        game.getCamera().lookAt(CAMERA_TARGET, Vector3f.UNIT_Y);
        DirectionalLight sun = new DirectionalLight(SUN_DIRECTION, ColorRGBA.White);
        game.getRootNode().addLight(sun);
        game.getRootNode().addLight(new AmbientLight(ColorRGBA.White.mult(0.35f)));
        AssetManager assets = game.getAssetManager();
        Spatial floor = new YardSpatials(assets).floor();
        game.getRootNode().attachChild(floor);
        DirectionalLightShadowRenderer shadows =
                new DirectionalLightShadowRenderer(assets, SHADOW_MAP_SIZE, SHADOW_MAPS);
        shadows.setLight(sun);
        shadows.setShadowZExtend(SHADOWS_UP_TO_METRES);
        shadows.setShadowIntensity(0.5f);
        game.getViewPort().addProcessor(shadows);
    }
}
