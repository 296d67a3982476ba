package dev.escapement.render.libgdx;

import com.badlogic.gdx.graphics.g3d.ModelInstance;
import com.badlogic.gdx.utils.Array;
import com.badlogic.gdx.utils.ObjectIntMap;
import dev.escapement.render.FrameView;
import dev.escapement.render.scene.SceneBodies;
import dev.escapement.render.scene.SceneOrigin;

/**
 * Keeps a model instance for every body: creates it when the body appears, moves it in each frame, and drops it when the body vanishes.
 *
 * <pre>{@code
 * FrameView view = FrameView.of(physics.newReader());
 * BodyInstances crates = new BodyInstances(view, (bodyId, userData) -> new ModelInstance(crate));
 *
 * public void render() {
 *     crates.advance(System.nanoTime());               // once a frame, before other code reads the view
 *     batch.begin(camera);
 *     batch.render(crates.instances(), environment);
 *     batch.end();
 * }
 * }</pre>
 *
 * <p>Overwrites the whole {@code transform} of each instance, so put a scale into the model's nodes. Does not dispose of models. The render
 * thread only, unless a method says otherwise.
 */
public final class BodyInstances extends SceneBodies<ModelInstance> {

    private static final int NONE = -1;

    private final InstanceFactory factory;
    private final Array<ModelInstance> instances = new Array<>(false, 16);

    private final ObjectIntMap<ModelInstance> places = new ObjectIntMap<>();

    /**
     * Creates instances in a scene whose origin is the world's origin.
     *
     * @param view    the view that the instances show
     * @param factory creates the instances
     */
    public BodyInstances(FrameView view, InstanceFactory factory) {
        this(view, factory, new SceneOrigin());
    }

    /**
     * Creates instances in a large world.
     *
     * @param view    the view that the instances show
     * @param factory creates the instances
     * @param origin  the scene's origin in the world
     */
    public BodyInstances(FrameView view, InstanceFactory factory, SceneOrigin origin) {
        super(view, origin);
        this.factory = factory;
    }

    /** {@return the instances of all bodies in the frame} It is always the same array, in no particular order; do not change it. */
    public Array<ModelInstance> instances() {
        return instances;
    }

    @Override
    protected ModelInstance add(long bodyId, long userData) {
        ModelInstance instance = factory.create(bodyId, userData);
        if (instance == null) {
            throw refusal(bodyId, userData, "no instance: return one, of an empty Model if the body is not to be seen");
        }
        if (places.containsKey(instance)) {
            throw refusal(
                    bodyId,
                    userData,
                    "the instance of another body: return another for each body, for example a copy()");
        }
        places.put(instance, instances.size);
        instances.add(instance);
        return instance;
    }

    @Override
    protected void remove(ModelInstance instance) {
        int place = places.remove(instance, NONE);
        instances.removeIndex(place);
        if (place < instances.size) {
            places.put(instances.get(place), place); // the last instance has moved to this index
        }
    }

    @Override
    protected void place(ModelInstance instance, float x, float y, float z, float qx, float qy, float qz, float qw) {
        instance.transform.set(x, y, z, qx, qy, qz, qw);
    }
}
