package dev.escapement.physics.bullet;

import com.jme3.bullet.util.NativeLibrary;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;

/** Where Libbulletjme keeps the native library of each platform: in the jar of a classifier. */
final class BulletLibrary {

    private BulletLibrary() {}

    static NativeResource forPlatform(Platform platform) {
        return switch (platform.family() + ' ' + platform.architecture()) {
            case "linux amd64" -> of(platform, "Libbulletjme-Linux64", "linux/x86_64", "libbulletjme.so");
            case "linux aarch64" -> of(platform, "Libbulletjme-Linux_ARM64", "linux/arm64", "libbulletjme.so");
            case "windows amd64" -> of(platform, "Libbulletjme-Windows64", "windows/x86_64", "bulletjme.dll");
            case "windows aarch64" -> of(platform, "Libbulletjme-Windows_ARM64", "windows/arm64", "bulletjme.dll");
            case "macos amd64" -> of(platform, "Libbulletjme-MacOSX64", "osx/x86_64", "libbulletjme.dylib");
            case "macos aarch64" -> of(platform, "Libbulletjme-MacOSX_ARM64", "osx/arm64", "libbulletjme.dylib");
            default ->
                throw new UnsupportedPlatformException("Libbulletjme offers no native library of Bullet for " + platform
                        + ": use Linux, Windows or macOS on amd64 or aarch64");
        };
    }

    private static NativeResource of(Platform platform, String artifact, String folder, String file) {
        String coordinates = "com.github.stephengold:" + artifact + ":" + NativeLibrary.expectedVersion + ":SpRelease";
        return new NativeResource("Bullet", platform, coordinates, "/native/" + folder + "/" + file);
    }
}
