package example.libgdx;

import com.badlogic.gdx.ApplicationAdapter;
import com.badlogic.gdx.Gdx;
import com.badlogic.gdx.graphics.g3d.Model;
import com.badlogic.gdx.graphics.g3d.ModelInstance;
import com.badlogic.gdx.math.Vector3;
import java.util.LinkedHashMap;
import java.util.Map;
import org.dyn4j.dynamics.Body;
import org.dyn4j.geometry.Vector2;

/** The game as it was: it steps its world in the render loop. */
class BarrelGameBefore extends ApplicationAdapter {

    private final Cellar cellar = new Cellar();
    private final Model barrelModel;
    private final Map<Body, ModelInstance> instances = new LinkedHashMap<>();
    private double seconds;

    BarrelGameBefore(Model barrelModel) {
        this.barrelModel = barrelModel;
        cellar.barrels.forEach(this::show);
    }

    private void show(Body barrel) {
        instances.put(barrel, new ModelInstance(barrelModel));
    }

    void spawnBarrel() {
        show(cellar.addBarrel(-4, 5));
    }

    void kick() {
        cellar.barrels.get(0).applyImpulse(new Vector2(0, 30));
    }

    @Override
    public void render() {
        float frameSeconds = Gdx.graphics.getDeltaTime();
        cellar.driveLift(seconds);
        seconds += frameSeconds;
        cellar.world.update(frameSeconds);
        instances.forEach((body, instance) -> {
            float x = (float) body.getTransform().getTranslationX();
            float y = (float) body.getTransform().getTranslationY();
            float angle = (float) body.getTransform().getRotationAngle();
            instance.transform.setToRotationRad(Vector3.Z, angle).setTranslation(x, y, 0);
        });
        // batch.render(instances.values(), environment)
    }
}
