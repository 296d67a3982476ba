package example.jme;

import com.jme3.asset.AssetManager;
import com.jme3.material.Material;
import com.jme3.math.ColorRGBA;
import com.jme3.scene.Geometry;
import com.jme3.scene.Spatial;
import com.jme3.scene.shape.Box;

/** Creates the spatials, which are the visible objects, of crates, platform and floor. */
final class YardSpatials {

    private final Material wood;
    private final Material steel;
    private final Material concrete;

    YardSpatials(AssetManager assets) {
        wood = lit(assets, 0.66f, 0.44f, 0.24f);
        steel = lit(assets, 0.45f, 0.5f, 0.55f);
        concrete = lit(assets, 0.62f, 0.6f, 0.56f);
    }

    Spatial crate() {
        float half = Yard.CRATE_HALF_WIDTH;
        return box("crate", new Box(half, half, half), wood);
    }

    Spatial platform() {
        float half = Yard.PLATFORM_HALF_WIDTH;
        return box("platform", new Box(half, Yard.PLATFORM_HALF_HEIGHT, half), steel);
    }

    Spatial floor() {
        Spatial floor = box("floor", new Box(50, 1, 50), concrete);
        floor.setLocalTranslation(0, -1, 0);
        return floor;
    }

    private static Spatial box(String name, Box mesh, Material material) {
        Geometry geometry = new Geometry(name, mesh);
        geometry.setMaterial(material);
        return geometry;
    }

    private static Material lit(AssetManager assets, float red, float green, float blue) {
        ColorRGBA colour = new ColorRGBA().setAsSrgb(red, green, blue, 1);
        Material material = new Material(assets, "Common/MatDefs/Light/Lighting.j3md");
        material.setBoolean("UseMaterialColors", true);
        material.setColor("Ambient", colour);
        material.setColor("Diffuse", colour);
        return material;
    }
}
